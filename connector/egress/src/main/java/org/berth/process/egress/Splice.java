package org.berth.process.egress;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Carries bytes between two connections until both directions ended. The end of one direction is handed on and leaves the
 * other open; a failure ends both. One buffer a direction is all that is held, so a slow reader slows its writer. A
 * connection of which one direction ended is given up when the other moves nothing for {@value #HALF_OPEN_SECONDS} s.
 */
final class Splice {
    /** Bytes of one direction's buffer. */
    static final int BUFFER_BYTES = 32_768;

    private static final long HALF_OPEN_SECONDS = 600;

    /** One direction: runs until its source ended. */
    interface Direction {
        void run() throws IOException;
    }

    private final SocketChannel client;
    private final SocketChannel upstream;
    private final CountDownLatch open = new CountDownLatch(2);
    private final AtomicLong moved = new AtomicLong();

    Splice(SocketChannel client, SocketChannel upstream) {
        this.client = client;
        this.upstream = upstream;
    }

    /** Carries all bytes of both; blocks until both directions ended. Leaves closing to the caller. */
    void run() {
        run(() -> copy(client, upstream));
    }

    /** Carries the answer; {@code request} is the direction to the upstream. */
    void run(Direction request) {
        Thread.ofVirtual().start(() -> settle(request));
        Thread.ofVirtual().start(() -> settle(() -> copy(upstream, client)));
        await();
    }

    /** Copies until the end of {@code from} and hands the end on. */
    void copy(SocketChannel from, SocketChannel to) throws IOException {
        ByteBuffer buffer = ByteBuffer.allocate(BUFFER_BYTES);
        while (from.read(buffer.clear()) >= 0) {
            write(to, buffer.flip());
        }
        to.shutdownOutput();
    }

    void write(SocketChannel to, ByteBuffer bytes) throws IOException {
        while (bytes.hasRemaining()) {
            moved.addAndGet(to.write(bytes));
        }
    }

    private void settle(Direction direction) {
        try {
            direction.run();
        } catch (IOException e) {
            end();
        } finally {
            open.countDown();
        }
    }

    private void await() {
        long before = -1;
        try {
            while (!open.await(HALF_OPEN_SECONDS, TimeUnit.SECONDS)) {
                long now = moved.get();
                if (open.getCount() == 1 && now == before) {
                    end();
                }
                before = now;
            }
        } catch (InterruptedException e) {
            end();
            Thread.currentThread().interrupt();
        }
    }

    private void end() {
        Listener.closeQuietly(client);
        Listener.closeQuietly(upstream);
    }
}
