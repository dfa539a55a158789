package org.berth.bench;

import java.util.Map;

/**
 * The sizes of a run.
 *
 * @param rounds repetitions whose median is reported
 * @param warmUpLaunches launches before the first round, of one client and of all together
 * @param launches launches of a round
 * @param outputMebibytes bytes of one output round, in MiB
 * @param echoes messages whose latency is taken in a round
 * @param idleAttempts attempts that do nothing
 * @param quietMillis how long the idle server is watched
 * @param liveRows the largest number of live attempts that are swept
 * @param spawnLoop the compiled plain launcher; null without a C compiler
 * @param podmanImage an image with /bin/true that Podman has; null for none
 */
record Plan(
        int rounds,
        int warmUpLaunches,
        int launches,
        int outputMebibytes,
        int echoes,
        int idleAttempts,
        int quietMillis,
        int liveRows,
        String spawnLoop,
        String podmanImage) {

    /** {@code BENCH_QUICK=1} makes everything small. */
    static Plan of(Map<String, String> environment) {
        boolean quick = "1".equals(environment.get("BENCH_QUICK"));
        return new Plan(
                number(environment, "BENCH_ROUNDS", quick ? 1 : 5),
                quick ? 200 : 2000,
                number(environment, "BENCH_LAUNCHES", quick ? 100 : 500),
                number(environment, "BENCH_OUTPUT_MIB", quick ? 256 : 2048),
                quick ? 300 : 2000,
                number(environment, "BENCH_IDLE", quick ? 100 : 500),
                quick ? 5_000 : 20_000,
                number(environment, "BENCH_LIVE", quick ? 400 : 5000),
                environment.get("BENCH_SPAWN_LOOP"),
                environment.get("BENCH_PODMAN_IMAGE"));
    }

    private static int number(Map<String, String> environment, String name, int otherwise) {
        String text = environment.get(name);
        return text == null ? otherwise : Integer.parseInt(text);
    }
}
