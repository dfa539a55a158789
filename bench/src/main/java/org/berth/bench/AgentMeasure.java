package org.berth.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * What a driver of agents and a preparer add to a launch: prepare and start of /bin/true under a policy of driver claude
 * beside the same under {@code command}; and a launch with a worktree beside {@code git worktree add} of the same
 * repository.
 */
final class AgentMeasure {
    private static final String PROGRAM = "/bin/true";
    private static final double MOST_MILLIS_MORE = 10;
    private static final double MOST_TIMES_GIT = 1.2;
    private static final int FILES = 200;
    private static final String POLICIES = """
            workdir_preparers: [git-worktree]
            credentials: {bench: {kind: environment, destination: BENCH_KEY, source: {env: PATH}}}
            policies:
              agent: {driver: claude, profile: batch, executable: /bin/true, model: any, edits: true, credentials: [bench]}
              default: {driver: command, profile: batch}
            """;

    private final Target target;
    private final Plan plan;

    AgentMeasure(Target target, Plan plan) {
        this.target = target;
        this.plan = plan;
    }

    List<Row> rows() throws IOException, InterruptedException {
        try (Attempts attempts = new Attempts(target)) {
            HostFile file = new HostFile(target, attempts.http());
            try (file) {
                file.put(POLICIES);
                Attempts.Extra agent = agent(attempts.http());
                started(attempts, Attempts.Extra.NONE, plan.launches() / 2);
                started(attempts, agent, plan.launches() / 2);
                return List.of(overhead(attempts, agent), worktree(attempts));
            }
        }
    }

    private static Attempts.Extra agent(HttpConnection http) throws IOException {
        Answer host = http.get("/api/placement/host").accepted();
        return new Attempts.Extra(
                "\"policy_ref\":\"agent\",\"binding_digest\":\"" + host.text("binding_digest")
                        + "\",\"profile_digest\":\"" + host.text("profile_digest")
                        + "\",\"configuration_digest\":\"" + host.text("configuration_digest")
                        + "\",\"projections\":[\"bench\"]",
                "",
                "");
    }

    private Row overhead(Attempts attempts, Attempts.Extra agent) throws IOException {
        double[] plain = new double[plan.rounds()];
        double[] driven = new double[plan.rounds()];
        for (int i = 0; i < plan.rounds(); i++) {
            plain[i] = started(attempts, Attempts.Extra.NONE, plan.launches()).millis(0.5);
            driven[i] = started(attempts, agent, plan.launches()).millis(0.5);
        }
        double more = Samples.median(driven) - Samples.median(plain);
        return new Row(
                "prepare and start under driver claude, p50",
                Row.number(Samples.median(driven)) + " ms",
                "driver command " + Row.number(Samples.median(plain)) + " ms",
                Row.number(more) + " ms more",
                "under 10 ms more",
                more < MOST_MILLIS_MORE);
    }

    /** The times of prepare and start together. */
    private static Samples started(Attempts attempts, Attempts.Extra extra, int launches) throws IOException {
        Samples samples = new Samples();
        started(attempts, extra, launches, samples);
        return samples;
    }

    private static void started(Attempts attempts, Attempts.Extra extra, int launches, Samples samples)
            throws IOException {
        for (int i = 0; i < launches; i++) {
            long start = System.nanoTime();
            String id = attempts.prepare(extra, PROGRAM);
            String state = attempts.start(id);
            samples.add(System.nanoTime() - start);
            if (!"exited".equals(state)) {
                attempts.awaitExit(id);
            }
            attempts.cleanUp(id);
        }
    }

    private Row worktree(Attempts attempts) throws IOException, InterruptedException {
        Path directory = Files.createTempDirectory("bench-worktree").toRealPath();
        Path repository = repository(directory.resolve("project"));
        Attempts.Extra in = in(attempts.http(), directory, "");
        Attempts.Extra prepared = in(attempts.http(), directory, ",\"options\":{\"worktree\":true}");
        int times = Math.max(10, plan.launches() / 10);
        started(attempts, prepared, times);
        Samples without = new Samples();
        Samples with = new Samples();
        Samples git = new Samples();
        // One of each in turn, so that a slow moment of the disk is every one's.
        for (int i = 0; i < times; i++) {
            started(attempts, in, 1, without);
            started(attempts, prepared, 1, with);
            git.add(plainWorktree(repository, directory.resolve("plain-" + i)));
        }
        double ours = with.millis(0.5) - without.millis(0.5);
        double ratio = ours / git.millis(0.5);
        return new Row(
                "worktree of " + FILES + " files at a start, p50",
                Row.number(ours) + " ms",
                "git worktree add " + Row.number(git.millis(0.5)) + " ms",
                Row.number(ratio) + "x",
                "at most 1.2x",
                ratio <= MOST_TIMES_GIT);
    }

    /** @return the nanoseconds of {@code git worktree add} */
    private static long plainWorktree(Path repository, Path at) throws IOException, InterruptedException {
        String in = repository.toString();
        String branch = at.getFileName().toString();
        long start = System.nanoTime();
        Commands.run("git", "-C", in, "worktree", "add", "--quiet", "-b", branch, at.toString());
        long took = System.nanoTime() - start;
        Commands.run("git", "-C", in, "worktree", "remove", at.toString());
        return took;
    }

    private static Path repository(Path project) throws IOException, InterruptedException {
        Files.createDirectories(project);
        for (int i = 0; i < FILES; i++) {
            Files.writeString(project.resolve("file-" + i + ".txt"), ("line " + i + "\n").repeat(40));
        }
        String at = project.toString();
        Commands.run("git", "init", "--quiet", at);
        Commands.run("git", "-C", at, "add", ".");
        Commands.run(
                "git",
                "-C",
                at,
                "-c",
                "user.name=bench",
                "-c",
                "user.email=bench@localhost",
                "commit",
                "--quiet",
                "-m",
                "all");
        return project;
    }

    /** A launch that works in the project, by a grant over its parent. */
    private static Attempts.Extra in(HttpConnection http, Path directory, String options) throws IOException {
        String grant = http.post(
                        "/api/placement/grants",
                        "{\"subject\":\"owner\",\"root\":\"" + directory
                                + "\",\"subpath\":\"\",\"access\":\"write\",\"purpose\":\"project\"}")
                .accepted()
                .text("grant_ref");
        String project = http.post(
                        "/api/placement/grants",
                        "{\"subject\":\"owner\",\"root\":\"" + directory
                                + "\",\"subpath\":\"project\",\"access\":\"write\",\"purpose\":\"project\"}")
                .accepted()
                .text("grant_ref");
        return new Attempts.Extra(
                Attempts.Extra.NONE.policy(),
                ",\"working_directory_ref\":\"project\"",
                ",\"resources\":[" + resource("all", grant) + "," + resource("project", project) + "]" + options);
    }

    private static String resource(String name, String grant) {
        return "{\"name\":\"" + name + "\",\"grant_ref\":\"" + grant
                + "\",\"root_ref\":\"any\",\"subpath\":\"\",\"access\":\"write\",\"purpose\":\"project\"}";
    }
}
