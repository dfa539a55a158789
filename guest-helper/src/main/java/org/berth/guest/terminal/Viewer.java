package org.berth.guest.terminal;

import java.io.DataInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ByteChannel;
import java.nio.channels.Channels;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;

/** One connection of a viewer. What it does not read in time is not kept for it: it is dropped. */
final class Viewer implements AutoCloseable {
    /** Chunks that wait for a viewer; one more drops it. */
    private static final int WAITING_CHUNKS = 128;

    private static final byte[] END = {};

    private final ByteChannel channel;
    private final BlockingQueue<byte[]> waiting = new ArrayBlockingQueue<>(WAITING_CHUNKS);

    Viewer(ByteChannel channel) {
        this.channel = channel;
    }

    /** Shows {@code bytes}; never blocks. */
    void show(byte[] bytes) {
        if (!waiting.offer(bytes)) {
            close();
        }
    }

    /** Nothing more will be shown. */
    void end() {
        if (!waiting.offer(END)) {
            close();
        }
    }

    /** Writes what is to be shown until the end; for a thread of its own. */
    void writeAll() {
        try (channel) {
            for (byte[] bytes = waiting.take(); bytes != END; bytes = waiting.take()) {
                ByteBuffer buffer = ByteBuffer.wrap(bytes);
                while (buffer.hasRemaining()) {
                    channel.write(buffer);
                }
            }
        } catch (IOException e) {
            close();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    DataInputStream input() {
        return new DataInputStream(Channels.newInputStream(channel));
    }

    boolean isOpen() {
        return channel.isOpen();
    }

    @Override
    public void close() {
        try {
            channel.close();
        } catch (IOException e) {
            System.err.println("guest: a viewer did not close: " + e.getMessage());
        }
        waiting.clear();
        waiting.add(END);
    }
}
