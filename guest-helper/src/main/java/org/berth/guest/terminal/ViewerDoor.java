package org.berth.guest.terminal;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.concurrent.TimeUnit;

/** The two ways of a viewer to a terminal: a socket where the helper listens, and one that it is told to dial. */
public final class ViewerDoor {
    /** Where the helper listens, relative to the guest root: {@value}. */
    public static final String SOCKET = "control/viewer.sock";

    private static final long DIAL_NANOS = TimeUnit.SECONDS.toNanos(5);
    private static final long RETRY_MILLIS = 100;

    private ViewerDoor() {}

    /**
     * Listens at {@code path}, mode 0600, in place of a socket that an ended process left there.
     *
     * @throws IOException when something else is there
     */
    public static ServerSocketChannel listen(Path path) throws IOException {
        if (Files.exists(path, LinkOption.NOFOLLOW_LINKS)
                && Files.readAttributes(path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS)
                        .isOther()) {
            Files.delete(path);
        }
        ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
        try {
            server.bind(UnixDomainSocketAddress.of(path));
            Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rw-------"));
            return server;
        } catch (IOException | RuntimeException e) {
            server.close();
            throw e;
        }
    }

    /** Serves each viewer that comes to {@code server}, in threads of its own. */
    public static void open(ServerSocketChannel server, Terminal terminal) {
        Thread.ofVirtual().name("viewers").start(() -> acceptAll(server, terminal));
    }

    private static void acceptAll(ServerSocketChannel server, Terminal terminal) {
        while (server.isOpen()) {
            try {
                SocketChannel viewer = server.accept();
                Thread.ofVirtual().start(() -> terminal.serve(viewer));
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
        Thread.ofVirtual().name("viewer").start(() -> {
            SocketChannel channel = dialed(socket);
            if (channel != null) {
                terminal.serve(channel);
            }
        });
    }

    private static SocketChannel dialed(Path socket) {
        long deadline = System.nanoTime() + DIAL_NANOS;
        while (System.nanoTime() - deadline < 0) {
            try {
                return SocketChannel.open(UnixDomainSocketAddress.of(socket));
            } catch (IOException e) {
                pause();
            }
        }
        return null;
    }
}
