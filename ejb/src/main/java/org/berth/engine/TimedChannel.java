package org.berth.engine;

import java.io.EOFException;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/** A connection to a Unix socket whose reads and writes end at a deadline. For one thread at a time. */
final class TimedChannel implements AutoCloseable {
    private final SocketChannel channel;
    private final Selector selector;
    private final SelectionKey key;
    private long deadline;

    private TimedChannel(SocketChannel channel) throws IOException {
        this.channel = channel;
        channel.configureBlocking(false);
        this.selector = Selector.open();
        this.key = channel.register(selector, 0);
    }

    static TimedChannel connect(Path socket, int timeoutMillis) throws IOException {
        SocketChannel channel = SocketChannel.open(UnixDomainSocketAddress.of(socket));
        try {
            TimedChannel timed = new TimedChannel(channel);
            timed.timeout(timeoutMillis);
            return timed;
        } catch (IOException e) {
            channel.close();
            throw e;
        }
    }

    /** What is read and written from now on together takes at most {@code millis}. */
    void timeout(int millis) {
        deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
    }

    /** Writes all of {@code bytes}. @throws SocketTimeoutException at the deadline */
    void write(ByteBuffer bytes) throws IOException {
        while (bytes.hasRemaining()) {
            if (channel.write(bytes) == 0) {
                await(SelectionKey.OP_WRITE);
            }
        }
    }

    /** At least one byte into {@code bytes}. @return false at the end; @throws SocketTimeoutException at the deadline */
    boolean read(ByteBuffer bytes) throws IOException {
        int count = channel.read(bytes);
        while (count == 0) {
            await(SelectionKey.OP_READ);
            count = channel.read(bytes);
        }
        return count > 0;
    }

    /** Fills {@code bytes}. @throws EOFException when the other side ends before */
    void readFully(ByteBuffer bytes) throws IOException {
        while (bytes.hasRemaining()) {
            if (!read(bytes)) {
                throw new EOFException("the engine ended its answer early");
            }
        }
    }

    /** Whether nothing has come and the other side has not ended; never waits. */
    boolean quiet() {
        try {
            return channel.isOpen() && channel.read(ByteBuffer.allocate(1)) == 0;
        } catch (IOException e) {
            return false;
        }
    }

    private void await(int operation) throws IOException {
        long left = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
        key.interestOps(operation);
        if (left <= 0 || selector.select(left) == 0) {
            throw new SocketTimeoutException("the engine did not answer in time");
        }
        selector.selectedKeys().clear();
    }

    @Override
    public void close() {
        try {
            selector.close();
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        } finally {
            closeChannel();
        }
    }

    private void closeChannel() {
        try {
            channel.close();
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }
}
