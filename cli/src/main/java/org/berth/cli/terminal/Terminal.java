package org.berth.cli.terminal;

import java.io.File;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.berth.cli.Failure;

/**
 * The controlling terminal, passed through raw. What it was before comes back on {@link #close()}, and when the program
 * ends by a signal.
 */
public final class Terminal implements AutoCloseable {
    private static final File DEVICE = new File("/dev/tty");
    private static final Size USUAL = new Size(24, 80);
    private static final int MOST = 1000;

    private final String before;
    private final Thread onExit = new Thread(this::restore, "restore the terminal");
    private boolean raw;

    private Terminal(String before) {
        this.before = before;
    }

    /** Each is 1..1000. */
    public record Size(int rows, int columns) {}

    /** @throws Failure when this process has no terminal */
    public static Terminal open() {
        try {
            return new Terminal(stty("-g").strip());
        } catch (IOException e) {
            throw Failure.failed("There is no terminal here.", "Leave out --window, or run this in a terminal.");
        }
    }

    /** Every key reaches the program as it is, ^C too. */
    public synchronized void raw() {
        try {
            Runtime.getRuntime().addShutdownHook(onExit);
            raw = true;
            stty("raw", "-echo");
        } catch (IOException e) {
            throw Failure.failed("The terminal cannot be switched to raw mode.", null);
        }
    }

    /** The present size; 24 by 80 when the terminal does not tell. */
    public Size size() {
        try {
            String[] numbers = stty("size").strip().split(" ");
            return new Size(bounded(numbers[0], USUAL.rows()), bounded(numbers[1], USUAL.columns()));
        } catch (IOException | NumberFormatException | ArrayIndexOutOfBoundsException e) {
            return USUAL;
        }
    }

    /** What is typed. */
    public InputStream keys() {
        try {
            return new FileInputStream(DEVICE);
        } catch (IOException e) {
            throw Failure.failed("The terminal cannot be read.", null);
        }
    }

    @Override
    public void close() {
        restore();
        try {
            Runtime.getRuntime().removeShutdownHook(onExit);
        } catch (IllegalStateException e) {
            // the program ends already, and the hook does the same
        }
    }

    private synchronized void restore() {
        if (raw) {
            raw = false;
            try {
                stty(before);
            } catch (IOException e) {
                // the terminal is gone
            }
        }
    }

    private static int bounded(String text, int otherwise) {
        int number = Integer.parseInt(text);
        return number < 1 ? otherwise : Math.min(number, MOST);
    }

    private static String stty(String... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of("stty"));
        command.addAll(List.of(arguments));
        Process process = new ProcessBuilder(command)
                .redirectInput(DEVICE)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
        try {
            if (process.waitFor() != 0) {
                throw new IOException("stty failed");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException(e);
        }
        return output;
    }
}
