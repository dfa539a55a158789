package org.berth.web;

import io.undertow.server.HttpServerExchange;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.xnio.channels.StreamSinkChannel;
import org.xnio.conduits.AbstractStreamSourceConduit;
import org.xnio.conduits.StreamSourceConduit;

/**
 * A request's body that must come: its reader gets {@link SlowBodyException} once the patience and a second for each
 * {@link #BYTES_A_SECOND} received bytes are over. The clock runs from the first read, so after authentication. Used by
 * one thread at a time.
 */
final class PacedBody extends AbstractStreamSourceConduit<StreamSourceConduit> {
    /** The least rate of a large body: 1 MiB, the largest, takes at most a minute beside the patience. */
    private static final long BYTES_A_SECOND = 16 * 1024;

    private static final long NANOS = TimeUnit.SECONDS.toNanos(1);

    private final HttpServerExchange exchange;
    private final long patienceNanos;
    private final long start = System.nanoTime();
    private long received;

    PacedBody(StreamSourceConduit next, HttpServerExchange exchange, Duration patience) {
        super(next);
        this.exchange = exchange;
        this.patienceNanos = patience.toNanos();
    }

    @Override
    public int read(ByteBuffer into) throws IOException {
        return (int) counted(next.read(into));
    }

    @Override
    public long read(ByteBuffer[] into, int offset, int length) throws IOException {
        return counted(next.read(into, offset, length));
    }

    @Override
    public long transferTo(long position, long count, FileChannel target) throws IOException {
        return counted(next.transferTo(position, count, target));
    }

    @Override
    public long transferTo(long count, ByteBuffer through, StreamSinkChannel target) throws IOException {
        return counted(next.transferTo(count, through, target));
    }

    @Override
    public void awaitReadable() throws IOException {
        next.awaitReadable(left(), TimeUnit.NANOSECONDS);
        left();
    }

    @Override
    public void awaitReadable(long time, TimeUnit unit) throws IOException {
        next.awaitReadable(Math.min(left(), unit.toNanos(time)), TimeUnit.NANOSECONDS);
        left();
    }

    /** The end of a body is never late. */
    private long counted(long bytes) throws IOException {
        if (bytes >= 0) {
            received += bytes;
            left();
        }
        return bytes;
    }

    /** Nanoseconds until the body is late. @throws SlowBodyException when it is; the connection serves no other request */
    private long left() throws SlowBodyException {
        long left = start + patienceNanos + received * NANOS / BYTES_A_SECOND - System.nanoTime();
        if (left <= 0) {
            exchange.setPersistent(false);
            throw new SlowBodyException();
        }
        return left;
    }
}
