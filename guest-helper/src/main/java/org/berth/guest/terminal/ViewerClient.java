package org.berth.guest.terminal;

import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ByteChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import org.berth.guest.os.Pty;
import org.berth.guest.os.RawMode;
import org.berth.guest.os.TerminalSize;

/**
 * The viewer's side: joins the own terminal to the native's. It ends with Ctrl-], with the end of its input, or when the
 * helper ends it; the native goes on.
 */
public final class ViewerClient {
    private static final int CTRL_BRACKET = 0x1d;
    private static final int CHUNK_BYTES = 16_384;
    private static final long SIZE_POLL_MILLIS = 250;
    private static final int IN = 0;
    private static final int OUT = 1;

    private final ByteChannel channel;

    private ViewerClient(ByteChannel channel) {
        this.channel = channel;
    }

    /** Views through {@code socket}, at which the helper listens or which leads to it. */
    public static void view(Path socket) throws IOException {
        try (SocketChannel channel = SocketChannel.open(UnixDomainSocketAddress.of(socket))) {
            view(channel);
        }
    }

    /** Views through {@code channel}, whose other end is the helper. */
    public static void view(ByteChannel channel) {
        new ViewerClient(channel).run();
    }

    private void run() {
        RawMode raw = RawMode.of(IN);
        Thread restore = raw == null ? null : new Thread(raw::close);
        if (restore != null) {
            Runtime.getRuntime().addShutdownHook(restore);
        }
        try {
            TerminalSize size = ownSize();
            send(ViewerFrame.size(size));
            Thread.ofPlatform().name("keys").daemon().start(this::sendKeys);
            Thread.ofPlatform().name("size").daemon().start(() -> sendSizes(size));
            show();
        } catch (IOException e) {
            // The other side went before the first frame: as good as an end.
            Thread.yield();
        } finally {
            if (restore != null) {
                Runtime.getRuntime().removeShutdownHook(restore);
                raw.close();
            }
        }
        System.err.println("guest: the view has ended");
    }

    /** Until either side ends; an end with keys on their way comes as a reset. */
    private void show() {
        FileOutputStream out = new FileOutputStream(FileDescriptor.out);
        ByteBuffer buffer = ByteBuffer.allocate(CHUNK_BYTES);
        boolean open = true;
        while (open) {
            try {
                open = channel.read(buffer.clear()) >= 0;
                out.write(buffer.array(), 0, buffer.position());
            } catch (IOException e) {
                open = false;
            }
        }
    }

    private void sendKeys() {
        InputStream in = new FileInputStream(FileDescriptor.in);
        byte[] bytes = new byte[CHUNK_BYTES];
        try (channel) {
            for (int read = in.read(bytes); read >= 0; read = in.read(bytes)) {
                int end = 0;
                while (end < read && bytes[end] != CTRL_BRACKET) {
                    end++;
                }
                send(ViewerFrame.keys(bytes, 0, end));
                if (end < read) {
                    return;
                }
            }
        } catch (IOException e) {
            // The helper ended the view with keys on their way, or the own terminal went: an end like any other.
            Thread.yield();
        }
    }

    /** The JDK tells no program that its terminal changed, so the size is looked at. */
    private void sendSizes(TerminalSize first) {
        TerminalSize sent = first;
        try {
            while (channel.isOpen()) {
                Thread.sleep(SIZE_POLL_MILLIS);
                TerminalSize now = ownSize();
                if (!now.equals(sent)) {
                    send(ViewerFrame.size(now));
                    sent = now;
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (IOException e) {
            // The view ended between a look and its report.
            Thread.yield();
        }
    }

    private static TerminalSize ownSize() {
        TerminalSize size = Pty.sizeOf(OUT);
        if (size == null) {
            size = Pty.sizeOf(IN);
        }
        return size == null ? Terminal.INITIAL : size;
    }

    private synchronized void send(ByteBuffer frame) throws IOException {
        while (frame.hasRemaining()) {
            channel.write(frame);
        }
    }
}
