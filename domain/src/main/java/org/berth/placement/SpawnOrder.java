package org.berth.placement;

import java.util.List;
import java.util.Map;

/**
 * Everything the supervisor needs to start one child.
 *
 * @param attemptKey the attempt's derived directory key, 32 lower-case hex digits; the child's BERTH_ATTEMPT_KEY
 * @param nonce private control token, 32 lower-case hex digits; every mutating order repeats it
 * @param executable absolute path
 * @param argv the arguments after the program's name
 * @param environment the child's whole environment, BERTH_ATTEMPT_KEY not among it (the supervisor adds it)
 * @param workingDirectory absolute physical path
 * @param terminal the window's size; null for pipes
 * @param stdin bytes written first; null for none
 * @param stdinEof close stdin after {@code stdin}
 * @param scope what the cleanup must be able to prove gone
 * @param drainMillis how long reads go on after the exit
 * @param retainMillis how long unacknowledged output is kept after both streams ended
 * @param log where the supervisor itself keeps output; null for a stream recipient
 * @param expected what the executable must measure as; null for no demand
 * @param generation the attachment generation in force at the start
 * @param buffer how much output may wait; null for the supervisor's own setting
 * @param enclosure what the child is enclosed in, in place of the supervisor's own containment; only with scope
 *     CONTAINED_TREE; null for the supervisor's own
 */
public record SpawnOrder(
        String attemptKey,
        String nonce,
        String executable,
        List<String> argv,
        Map<String, String> environment,
        String workingDirectory,
        TerminalSize terminal,
        byte[] stdin,
        boolean stdinEof,
        Capability scope,
        int drainMillis,
        int retainMillis,
        Log log,
        Expected expected,
        long generation,
        Buffer buffer,
        Enclosure enclosure) {
    /** An order without an enclosure of its own. */
    public SpawnOrder(
            String attemptKey,
            String nonce,
            String executable,
            List<String> argv,
            Map<String, String> environment,
            String workingDirectory,
            TerminalSize terminal,
            byte[] stdin,
            boolean stdinEof,
            Capability scope,
            int drainMillis,
            int retainMillis,
            Log log,
            Expected expected,
            long generation,
            Buffer buffer) {
        this(
                attemptKey,
                nonce,
                executable,
                argv,
                environment,
                workingDirectory,
                terminal,
                stdin,
                stdinEof,
                scope,
                drainMillis,
                retainMillis,
                log,
                expected,
                generation,
                buffer,
                null);
    }

    /**
     * How a child is enclosed. {@code executable} is its file on the host, which is checked and measured; {@code
     * workingDirectory} is where the enclosing program is started.
     *
     * @param arguments of the enclosing program, all before its {@code --}; no descriptor numbers, the supervisor adds
     *     its own. They must make a PID namespace.
     * @param entry the executable's path as it is seen inside
     */
    public record Enclosure(Kind kind, List<String> arguments, String entry) {
        public Enclosure {
            arguments = List.copyOf(arguments);
        }

        /** The enclosing program. */
        public enum Kind {
            /** bubblewrap: its own init is the namespace's first process, the command that one's child. */
            BUBBLEWRAP,
            /**
             * util-linux unshare; the arguments must hold {@code --fork}. The command is the namespace's first process
             * itself, so that only a signal that it handles reaches it, and KILL.
             */
            UNSHARE
        }
    }

    /**
     * What may wait between the child and its recipient. Source: placement.md, Output.
     *
     * @param outstandingChunks sent and not acknowledged, 1..256
     * @param spoolBytes read and not acknowledged, at most 4 MiB
     */
    public record Buffer(int outstandingChunks, int spoolBytes) {}

    /** {@code directory}: absolute, private, made by the supervisor. */
    public record Log(String directory, OutputTruncation truncation) {}

    /** The measurement that the request carried. */
    public record Expected(ExecutableKind kind, String digest) {}
}
