package org.berth.bench;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;

/** Programs that are measured beside the product. */
final class Commands {
    private Commands() {}

    static boolean isInstalled(String program) {
        return Arrays.stream(System.getenv("PATH").split(":"))
                .anyMatch(folder -> Files.isExecutable(Path.of(folder, program)));
    }

    /** Answers what it printed. @throws BenchmarkException when it failed */
    static String run(String... command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        process.getOutputStream().close();
        String told = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
        if (process.waitFor() != 0) {
            throw new BenchmarkException(String.join(" ", command) + " failed: " + told);
        }
        return told;
    }

    /** Median in nanoseconds and rounds per second of the plain launcher; NaN for both without it. */
    static String[] spawnLoop(Plan plan, String program) throws IOException, InterruptedException {
        if (plan.spawnLoop() == null) {
            return new String[] {"NaN", "NaN"};
        }
        return run(plan.spawnLoop(), Integer.toString(plan.launches()), program).split(" ");
    }
}
