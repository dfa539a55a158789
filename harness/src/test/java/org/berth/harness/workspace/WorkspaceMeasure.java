package org.berth.harness.workspace;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Random;
import org.berth.files.PrivateFiles;
import org.berth.files.Trees;

/**
 * How long a copy of small files and the hand-back of few changes take, beside {@code cp -a} of the same files. Arguments:
 * a scratch directory, the number of files, the rounds.
 */
final class WorkspaceMeasure {
    private static final double MILLI = 1e6;

    private WorkspaceMeasure() {}

    public static void main(String[] args) throws Exception {
        Path scratch = Files.createDirectories(Path.of(args[0]));
        int count = Integer.parseInt(args[1]);
        Path parent = scratch.resolve("parent");
        fill(parent, count);
        for (int round = 0; round < Integer.parseInt(args[2]); round++) {
            double cp = milliseconds(() -> {
                new ProcessBuilder(
                                "cp",
                                "-a",
                                parent.toString(),
                                scratch.resolve("cp").toString())
                        .start()
                        .waitFor();
            });
            Trees.remove(scratch.resolve("cp"));
            Path root = PrivateFiles.directory(scratch.resolve("root"));
            IsolatedWorkspace workspace = Family.workspace(root);
            Path[] copy = new Path[1];
            double create = milliseconds(() ->
                    copy[0] = workspace.create(parent, "s", "c", Progress.NONE).directory());
            for (int i = 0; i < 100; i++) {
                Files.writeString(copy[0].resolve(name(i * (count / 100))), "round " + round);
            }
            HandBack[] back = new HandBack[1];
            double handBack = milliseconds(() -> back[0] = workspace.handBack("s", "c"));
            System.out.printf(
                    Locale.ROOT,
                    "cp -a %.0f ms, two copies %.0f ms, hand-back of %d %.0f ms%n",
                    cp,
                    create,
                    back[0].taken().size(),
                    handBack);
            Trees.remove(root);
        }
        Trees.remove(scratch);
    }

    private static String name(int file) {
        return "dir" + file % 200 + "/sub" + file % 3 + "/file" + file;
    }

    private static void fill(Path parent, int count) throws IOException {
        Random random = new Random(1);
        for (int i = 0; i < count; i++) {
            Path file = parent.resolve(name(i));
            Files.createDirectories(file.getParent());
            Files.writeString(file, "line of a small file\n".repeat(random.nextInt(200)));
        }
    }

    private interface Step {
        void run() throws Exception;
    }

    private static double milliseconds(Step step) throws Exception {
        long start = System.nanoTime();
        step.run();
        return (System.nanoTime() - start) / MILLI;
    }
}
