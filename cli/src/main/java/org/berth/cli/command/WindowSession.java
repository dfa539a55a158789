package org.berth.cli.command;

import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import org.berth.cli.stream.StreamClient;
import org.berth.cli.terminal.Signals;
import org.berth.cli.terminal.Terminal;

/** Joins this terminal to the terminal of a command: keys there, its size too. Ctrl-] leaves. */
final class WindowSession {
    private static final byte LEAVE = 0x1d;
    private static final int MOST_KEYS = 4096;

    private final Terminal terminal;
    private final StreamClient stream;

    WindowSession(Terminal terminal, StreamClient stream) {
        this.terminal = terminal;
        this.stream = stream;
    }

    /** Switches to raw mode and starts sending; closing the terminal ends raw mode. */
    void begin() {
        resize();
        Signals.handle("WINCH", this::resize);
        terminal.raw();
        InputStream keys = terminal.keys();
        Thread.ofPlatform().daemon().name("keys").start(() -> send(keys));
    }

    private void resize() {
        Terminal.Size size = terminal.size();
        stream.resize(size.rows(), size.columns());
    }

    private void send(InputStream keys) {
        byte[] buffer = new byte[MOST_KEYS];
        try (keys) {
            for (int count = keys.read(buffer); count > 0; count = keys.read(buffer)) {
                byte[] typed = Arrays.copyOf(buffer, count);
                int leave = indexOfLeave(typed);
                byte[] before = leave < 0 ? typed : Arrays.copyOf(typed, leave);
                boolean taken = before.length == 0 || stream.input(before);
                if (leave >= 0) {
                    stream.leave();
                }
                if (leave >= 0 || !taken) {
                    return;
                }
            }
        } catch (IOException e) {
            stream.leave();
        }
    }

    private static int indexOfLeave(byte[] typed) {
        for (int i = 0; i < typed.length; i++) {
            if (typed[i] == LEAVE) {
                return i;
            }
        }
        return -1;
    }
}
