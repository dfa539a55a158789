package org.berth.guest.serve;

import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.berth.guest.os.UnixConnection;

/**
 * The helper's line to its host: dialled from inside, so that nobody inside can pretend to be the host, and dialled anew
 * when it is cut.
 */
public final class ControlLine {
    private static final long FIRST_PAUSE_MILLIS = 50;
    private static final long MAX_PAUSE_MILLIS = 2000;
    /** A connection that lasted so long was no refused one. */
    private static final long LASTED_NANOS = 1_000_000_000;

    private final Path socket;
    private final CompletableFuture<LineServer.Answers> answers;
    private final CountDownLatch connected = new CountDownLatch(1);

    private ControlLine(Path socket, CompletableFuture<LineServer.Answers> answers) {
        this.socket = socket;
        this.answers = answers;
    }

    /**
     * Begins to dial {@code socket}; each connection's requests are answered in order.
     *
     * @param answers requests wait until there is what answers them
     */
    public static ControlLine dial(Path socket, CompletableFuture<LineServer.Answers> answers) {
        ControlLine line = new ControlLine(socket, answers);
        Thread.ofPlatform().name("control").daemon().start(line::serve);
        return line;
    }

    /** Opens once the line was up for the first time. */
    public CountDownLatch connected() {
        return connected;
    }

    private void serve() {
        long pause = FIRST_PAUSE_MILLIS / 2;
        while (true) {
            long since = System.nanoTime();
            try (UnixConnection channel = UnixConnection.dial(socket)) {
                connected.countDown();
                new LineServer(channel, channel, answers.join()).run();
            } catch (IOException e) {
                // The host is not there, or went; it is dialled again either way.
                Thread.yield();
            }
            boolean lasted = System.nanoTime() - since > LASTED_NANOS;
            pause = lasted ? FIRST_PAUSE_MILLIS : Math.min(2 * pause, MAX_PAUSE_MILLIS);
            try {
                Thread.sleep(pause);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return;
            }
        }
    }
}
