package org.berth.cli;

import java.io.BufferedOutputStream;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/**
 * What the program was started with. Output that must stay byte for byte goes to {@code out}, which reports a closed
 * pipe; text goes through {@link #text()}.
 *
 * @param environment the process's environment
 * @param in stdin
 * @param out stdout, unbuffered
 * @param err stderr
 * @param inTerminal stdin is a terminal
 * @param outTerminal stdout is a terminal
 * @param errTerminal stderr is a terminal
 */
public record Surroundings(
        Map<String, String> environment,
        InputStream in,
        OutputStream out,
        PrintStream err,
        boolean inTerminal,
        boolean outTerminal,
        boolean errTerminal) {

    /** Those of this process. */
    public static Surroundings ofProcess() {
        return new Surroundings(
                System.getenv(),
                new FileInputStream(FileDescriptor.in),
                new FileOutputStream(FileDescriptor.out),
                new PrintStream(new FileOutputStream(FileDescriptor.err), true, StandardCharsets.UTF_8),
                isTerminal(0),
                isTerminal(1),
                isTerminal(2));
    }

    /** A writer of text to stdout; flush it. */
    public PrintStream text() {
        return new PrintStream(new BufferedOutputStream(out), false, StandardCharsets.UTF_8);
    }

    /** The variable's value, or {@code otherwise} when it is absent or blank. */
    public String variable(String name, String otherwise) {
        String value = environment.get(name);
        return value == null || value.isBlank() ? otherwise : value;
    }

    /** Colours are for a terminal whose owner did not refuse them. Source: no-color.org. */
    public boolean colours() {
        return outTerminal && variable("NO_COLOR", "").isEmpty() && !"dumb".equals(environment.get("TERM"));
    }

    private static boolean isTerminal(int descriptor) {
        try {
            String target = Files.readSymbolicLink(Path.of("/proc/self/fd/" + descriptor))
                    .toString();
            return target.startsWith("/dev/pts/") || target.startsWith("/dev/tty") || target.equals("/dev/console");
        } catch (IOException e) {
            return false;
        }
    }
}
