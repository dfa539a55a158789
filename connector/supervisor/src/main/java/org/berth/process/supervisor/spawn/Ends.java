package org.berth.process.supervisor.spawn;

import java.util.Map;
import org.berth.placement.ExecutableMeasurement;
import org.berth.placement.ProcessIdentity;
import org.berth.placement.TerminalSize;
import org.berth.process.supervisor.os.Descriptors;
import org.berth.process.supervisor.os.PosixSpawn;
import org.berth.process.supervisor.os.Pty;

/** Both ends of a child's descriptors: three pipes or one terminal. Closing keeps what a {@link Child} took. */
final class Ends implements AutoCloseable {
    private final Pty terminal;
    private final int[][] pipes;
    private boolean taken;

    private Ends(Pty terminal, int[][] pipes) {
        this.terminal = terminal;
        this.pipes = pipes;
    }

    /** @param size null for pipes */
    static Ends open(TerminalSize size) {
        if (size != null) {
            return new Ends(Pty.open(size), new int[0][]);
        }
        int[][] pipes = new int[3][];
        Ends ends = new Ends(null, pipes);
        try {
            for (int i = 0; i < pipes.length; i++) {
                pipes[i] = Descriptors.pipe();
                Descriptors.setNonBlocking(ends.ours(i));
            }
            return ends;
        } catch (RuntimeException e) {
            ends.close();
            throw e;
        }
    }

    private int ours(int stream) {
        return pipes[stream][stream == 0 ? 1 : 0];
    }

    private int theirs(int stream) {
        return pipes[stream][stream == 0 ? 0 : 1];
    }

    void giveTo(PosixSpawn spawn) {
        if (terminal != null) {
            spawn.open(0, terminal.slavePath()).descriptor(0, 1).descriptor(0, 2);
            return;
        }
        for (int i = 0; i < pipes.length; i++) {
            spawn.descriptor(theirs(i), i);
        }
    }

    Child child(ProcessIdentity identity, ExecutableMeasurement measured, int[] pidFds, Map<String, String> notes) {
        taken = true;
        Map<String, String> kept = Map.copyOf(notes);
        if (terminal != null) {
            return new Child(identity, measured, pidFds[0], pidFds[1], pidFds[2], -1, -1, -1, terminal.master(), kept);
        }
        return new Child(identity, measured, pidFds[0], pidFds[1], pidFds[2], ours(0), ours(1), ours(2), -1, kept);
    }

    @Override
    public void close() {
        if (terminal != null && !taken) {
            Descriptors.close(terminal.master());
        }
        for (int i = 0; i < pipes.length; i++) {
            if (pipes[i] != null) {
                Descriptors.close(theirs(i));
                if (!taken) {
                    Descriptors.close(ours(i));
                }
            }
        }
    }
}
