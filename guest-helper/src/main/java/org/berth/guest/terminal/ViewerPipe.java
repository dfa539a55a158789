package org.berth.guest.terminal;

import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.SocketChannel;
import java.nio.channels.WritableByteChannel;
import java.nio.file.Path;

/** Joins the own standard streams to the helper's socket of viewers, for a viewer that runs outside of the container. */
public final class ViewerPipe {
    private static final int CHUNK_BYTES = 16_384;

    private ViewerPipe() {}

    /** Until the helper ends the view, or the standard input ends. */
    public static void join(Path socket) throws IOException {
        try (SocketChannel channel = SocketChannel.open(UnixDomainSocketAddress.of(socket))) {
            Thread.ofPlatform().name("keys").daemon().start(() -> {
                try (channel) {
                    copy(new FileInputStream(FileDescriptor.in).getChannel(), channel);
                } catch (IOException e) {
                    System.err.println("guest: " + e.getMessage());
                }
            });
            copy(channel, new FileOutputStream(FileDescriptor.out).getChannel());
        } catch (java.nio.channels.ClosedChannelException e) {
            // The viewer went.
            Thread.yield();
        }
    }

    private static void copy(ReadableByteChannel in, WritableByteChannel out) throws IOException {
        ByteBuffer buffer = ByteBuffer.allocate(CHUNK_BYTES);
        while (in.read(buffer.clear()) >= 0) {
            buffer.flip();
            while (buffer.hasRemaining()) {
                out.write(buffer);
            }
        }
    }
}
