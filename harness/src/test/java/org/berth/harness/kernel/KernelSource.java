package org.berth.harness.kernel;

import static org.assertj.core.api.Assertions.fail;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Where the kernel runtime lies in this tree, and the Python that runs it. */
public final class KernelSource {
    private static final Pattern VERSION = Pattern.compile("Python 3\\.(\\d+)\\..*");
    private static final int OLDEST_MINOR = 11;

    private KernelSource() {}

    /** The directory that holds the package berth_kernel. */
    public static Path directory() {
        return Path.of(System.getProperty("berth.root"))
                .resolve("guest-helper/kernel")
                .toAbsolutePath();
    }

    /** The interpreter behind python3, which may be a script that adds variables of its own. */
    public static String interpreter() throws IOException, InterruptedException {
        requirePython();
        Process process = new ProcessBuilder("python3", "-c", "import sys; print(sys.executable)").start();
        return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
    }

    /** Fails when python3 is missing or older than 3.11. */
    public static void requirePython() throws IOException, InterruptedException {
        Process process;
        try {
            process = new ProcessBuilder("python3", "--version")
                    .redirectErrorStream(true)
                    .start();
        } catch (IOException e) {
            throw new AssertionError("python3 is missing: the kernel runtime needs Python 3.11 or newer", e);
        }
        String version = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
        process.waitFor();
        Matcher matcher = VERSION.matcher(version);
        if (!matcher.matches() || Integer.parseInt(matcher.group(1)) < OLDEST_MINOR) {
            fail("python3 is %s: the kernel runtime needs Python 3.11 or newer", version);
        }
    }
}
