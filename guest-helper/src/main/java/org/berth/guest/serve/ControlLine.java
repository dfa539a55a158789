package org.berth.guest.serve;

import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;

/**
 * The helper's line to its host: dialled from inside, so that nobody inside can pretend to be the host, and dialled anew
 * when it is cut.
 */
public final class ControlLine {
    private static final long FIRST_PAUSE_MILLIS = 50;
    private static final long MAX_PAUSE_MILLIS = 2000;

    private final Path socket;
    private final LineServer.Answers answers;
    private final CountDownLatch connected = new CountDownLatch(1);

    private ControlLine(Path socket, LineServer.Answers answers) {
        this.socket = socket;
        this.answers = answers;
    }

    /** Begins to dial {@code socket}; each connection's requests are answered in order. */
    public static ControlLine dial(Path socket, LineServer.Answers answers) {
        ControlLine line = new ControlLine(socket, answers);
        Thread.ofPlatform().name("control").daemon().start(line::serve);
        return line;
    }

    /** Opens once the line was up for the first time. */
    public CountDownLatch connected() {
        return connected;
    }

    private void serve() {
        long pause = FIRST_PAUSE_MILLIS;
        while (true) {
            try (SocketChannel channel = SocketChannel.open(UnixDomainSocketAddress.of(socket))) {
                connected.countDown();
                pause = FIRST_PAUSE_MILLIS;
                new LineServer(channel, channel, answers).run();
            } catch (IOException e) {
                pause = Math.min(2 * pause, MAX_PAUSE_MILLIS);
            }
            try {
                Thread.sleep(pause);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return;
            }
        }
    }
}
