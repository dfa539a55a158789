package org.berth.guest.terminal;

import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.berth.guest.os.Ancestry;
import org.berth.guest.os.UnixConnection;
import org.berth.guest.os.UnixListener;

/** The two ways of a viewer to a terminal: a socket where the helper listens, and one that it is told to dial. */
public final class ViewerDoor {
    /** Where the helper listens, relative to the guest root: {@value}. */
    public static final String SOCKET = "control/viewer.sock";

    private static final long DIAL_NANOS = TimeUnit.SECONDS.toNanos(5);
    private static final long RETRY_MILLIS = 100;

    private ViewerDoor() {}

    /**
     * Listens at {@code path} and serves each viewer that comes, in threads of its own. Whatever was started from here,
     * the native and its tools, is no viewer: it could answer its own questions.
     *
     * @throws IOException when there can be no socket
     */
    public static void open(Path path, Terminal terminal) throws IOException {
        UnixListener listener = UnixListener.open(path);
        Thread.ofPlatform().name("viewers").daemon().start(() -> acceptAll(listener, terminal));
    }

    private static void acceptAll(UnixListener listener, Terminal terminal) {
        while (true) {
            try {
                UnixConnection viewer = listener.accept();
                if (Ancestry.isForeign(viewer.peer())) {
                    Thread.ofPlatform().name("viewer").daemon().start(() -> terminal.serve(viewer));
                } else {
                    viewer.close();
                }
            } catch (IOException e) {
                pause();
            }
        }
    }

    /** Descriptors may be used up for a while, a viewer not listen yet. */
    private static void pause() {
        try {
            Thread.sleep(RETRY_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Dials the viewer that waits, or will soon wait, at {@code socket}, in a thread of its own. */
    public static void dial(Path socket, Terminal terminal) {
        Thread.ofPlatform().name("viewer").daemon().start(() -> {
            UnixConnection channel = dialed(socket);
            if (channel != null) {
                terminal.serve(channel);
            }
        });
    }

    private static UnixConnection dialed(Path socket) {
        long deadline = System.nanoTime() + DIAL_NANOS;
        while (System.nanoTime() - deadline < 0) {
            try {
                return UnixConnection.dial(socket);
            } catch (IOException e) {
                pause();
            }
        }
        return null;
    }
}
