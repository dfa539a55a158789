package org.berth.preparer.git;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.berth.files.Trees;

/** Prints what a setup takes against a plain {@code git worktree add} of the same repository. */
public final class WorktreeMeasure {
    private static final int ROUNDS = 150;
    private static final int WARM_UP = 15;

    private WorktreeMeasure() {}

    private interface Step {
        void run() throws IOException;
    }

    /** Arguments: numbers of files, such as {@code 20 2000}. */
    public static void main(String[] arguments) throws IOException {
        for (String files : arguments) {
            measure(Integer.parseInt(files));
        }
    }

    private static void measure(int files) throws IOException {
        Path temporary = Files.createTempDirectory("worktree-measure").toRealPath();
        try {
            TestRepository repository = TestRepository.make(temporary.resolve("project"));
            for (int i = 0; i < files; i++) {
                repository.write("d" + i % 40 + "/f" + i + ".txt", ("line " + i + "\n").repeat(40));
            }
            repository.commit("many");
            long[] plan = new long[ROUNDS];
            long[] ours = new long[ROUNDS];
            long[] plain = new long[ROUNDS];
            long[] cleanup = new long[ROUNDS];
            HostProcesses commands = new HostProcesses();
            Git git = new Git(
                    commands, () -> "git", () -> GitWorktreePreparer.environment(java.util.List.of("/usr/bin")));
            Path metadata = repository.top().resolve(".git");
            for (int i = 0; i < ROUNDS; i++) {
                WorktreeLaunch launch = new WorktreeLaunch("a" + i, true, repository.top(), temporary);
                String other = temporary.resolve("plain-" + i).toString();
                plan[i] = time(launch::plan);
                Step first = launch::setUp;
                Step second =
                        () -> git.on(metadata, "worktree", "add", "--quiet", "-b", "plain-" + other.hashCode(), other);
                if (i % 2 == 0) {
                    ours[i] = time(first);
                    plain[i] = time(second);
                } else {
                    plain[i] = time(second);
                    ours[i] = time(first);
                }
                cleanup[i] = time(launch::cleanUp);
                repository.git("worktree", "remove", other);
            }
            System.out.printf(
                    "%d files: plan %.1f ms, setup %.1f ms, plain add %.1f ms, ratio %.2f, cleanup %.1f ms%n",
                    files, median(plan), median(ours), median(plain), median(ours) / median(plain), median(cleanup));
        } finally {
            Trees.remove(temporary);
        }
    }

    private static long time(Step step) throws IOException {
        long start = System.nanoTime();
        step.run();
        return System.nanoTime() - start;
    }

    private static double median(long[] nanos) {
        long[] sorted = Arrays.copyOfRange(nanos, WARM_UP, nanos.length);
        Arrays.sort(sorted);
        return sorted[sorted.length / 2] / 1e6;
    }
}
