package org.berth.driver;

import org.berth.placement.LaunchMode;

/**
 * One way to run a program.
 *
 * @param name batch, session or window
 * @param mode pipes or a terminal
 * @param input how the prompt reaches it
 * @param edits whether the program can be told to edit in it
 */
public record DriverProfile(String name, LaunchMode mode, Input input, boolean edits) {
    /** How a prompt reaches the program. */
    public enum Input {
        /** As the last argument, behind {@code --} where the program takes it. */
        ARGUMENT,
        /** On standard input, which ends after it. */
        STDIN_EOF,
        /** As JSON lines on standard input, which stays open until the session ends. */
        STREAM_JSON,
        /** Typed into the terminal, or as the last argument. */
        TERMINAL
    }
}
