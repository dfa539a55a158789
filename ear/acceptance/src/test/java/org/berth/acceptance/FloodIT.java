package org.berth.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.berth.acceptance.LaunchRequests.aLaunch;
import static org.berth.acceptance.StreamClient.STDOUT;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Output that nobody reads costs a bounded amount of memory, and none of it is lost. */
class FloodIT {
    private static final int FLOODS = 50;
    /** Fifty full spools of 256 KiB, with room for what a garbage collected heap holds besides. */
    private static final long SUPERVISOR_GROWTH = 192L << 20;

    private static final long SERVER_GROWTH = 384L << 20;
    private static final long READ = 2L << 20;

    private final BerthServer server = BerthServer.shared();
    private final Api api = server.api();

    @Test
    void fiftyFloodsThatNobodyReadsAreHeldBack() {
        api.awaitExit(api.started(aLaunch()));
        long supervisor = server.supervisorPid();
        long supervisorBefore = Proc.residentBytes(supervisor);
        long serverBefore = Proc.residentBytes(server.pid());
        List<String> floods = new ArrayList<>();
        for (int i = 0; i < FLOODS; i++) {
            floods.add(api.started(aLaunch().of("yes", Integer.toString(i))));
        }
        for (String id : floods) {
            Await.until(
                    "the flood " + id + " is held back",
                    () -> blocked((Long) api.attempt(id).get("pid")));
        }
        for (int i = 0; i < 10; i++) {
            assertThat(api.awaitExit(api.started(aLaunch().script("exit 5")))).isEqualTo(Map.of("code", 5L));
        }
        assertThat(Proc.residentBytes(supervisor) - supervisorBefore).isLessThan(SUPERVISOR_GROWTH);
        assertThat(Proc.residentBytes(server.pid()) - serverBefore).isLessThan(SERVER_GROWTH);

        String last = floods.getLast();
        try (StreamClient stream = StreamClient.attach(api, last)) {
            Await.until("two MiB of the last flood", () -> stream.count(STDOUT) >= READ);
            String line = (FLOODS - 1) + "\n";
            String text = stream.text(STDOUT);
            assertThat(text)
                    .isEqualTo(line.repeat(text.length() / line.length() + 1).substring(0, text.length()));
            List<Long> sequences = stream.sequences();
            assertThat(sequences)
                    .isEqualTo(
                            LongStream.rangeClosed(1, sequences.size()).boxed().toList());
        }
        floods.forEach(id -> api.stop(id, "forced").expect(200));
        floods.forEach(api::awaitExit);
    }

    /** Asleep in a write to a full pipe; some kernels hide where, as 0. */
    private static boolean blocked(long pid) {
        String where = Proc.read(pid, "wchan");
        return Proc.stat(pid, 3).equals("S") && (where.equals("0") || where.contains("pipe"));
    }
}
