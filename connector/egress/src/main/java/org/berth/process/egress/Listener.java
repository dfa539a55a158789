package org.berth.process.egress;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.StandardProtocolFamily;
import java.net.StandardSocketOptions;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.function.Consumer;

/**
 * Accepts connections at a TCP or Unix socket and hands each to a virtual thread of its own. Beyond its bound of
 * connections it leaves new ones in the kernel's queue. A Unix socket replaces one that an ended process left, has mode
 * 0600 and is removed at the end; its directory must be private.
 */
final class Listener implements AutoCloseable {
    private static final String SOCKET_MODE = "rw-------";
    private static final long PAUSE_MILLIS = 50;
    private static final int BACKLOG = 128;

    private final ServerSocketChannel server;
    private final SocketAddress address;
    private final Consumer<SocketChannel> handler;
    private final Semaphore slots;
    private final Set<SocketChannel> connections = ConcurrentHashMap.newKeySet();

    private Listener(ServerSocketChannel server, int maxConnections, Consumer<SocketChannel> handler)
            throws IOException {
        this.server = server;
        this.address = server.getLocalAddress();
        this.handler = handler;
        this.slots = new Semaphore(maxConnections);
    }

    static Listener open(SocketAddress address, int maxConnections, Consumer<SocketChannel> handler)
            throws IOException {
        return open(address, maxConnections, handler, Thread.ofVirtual());
    }

    /** @param acceptor the kind of thread that waits for connections */
    static Listener open(
            SocketAddress address, int maxConnections, Consumer<SocketChannel> handler, Thread.Builder acceptor)
            throws IOException {
        ServerSocketChannel server = bind(address);
        Listener listener = new Listener(server, maxConnections, handler);
        acceptor.name("accept " + address).start(listener::acceptAll);
        return listener;
    }

    /** Where it listens; its port is the true one also when 0 was asked for. */
    SocketAddress address() {
        return address;
    }

    /** A connected channel to a TCP or Unix socket. */
    static SocketChannel connect(SocketAddress target, int timeoutMillis) throws IOException {
        if (target instanceof UnixDomainSocketAddress unix) {
            return SocketChannel.open(unix);
        }
        SocketChannel channel = SocketChannel.open();
        try {
            channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
            channel.socket().connect(target, timeoutMillis);
            return channel;
        } catch (IOException | RuntimeException e) {
            channel.close();
            throw e;
        }
    }

    private static ServerSocketChannel bind(SocketAddress address) throws IOException {
        if (!(address instanceof UnixDomainSocketAddress unix)) {
            ServerSocketChannel server = ServerSocketChannel.open();
            return bind(server, address);
        }
        Path path = unix.getPath();
        if (isSocket(path)) {
            Files.delete(path);
        }
        ServerSocketChannel server = bind(ServerSocketChannel.open(StandardProtocolFamily.UNIX), address);
        try {
            Files.setPosixFilePermissions(path, PosixFilePermissions.fromString(SOCKET_MODE));
            return server;
        } catch (IOException e) {
            server.close();
            throw e;
        }
    }

    private static ServerSocketChannel bind(ServerSocketChannel server, SocketAddress address) throws IOException {
        try {
            return server.bind(address, BACKLOG);
        } catch (IOException | RuntimeException e) {
            server.close();
            throw e;
        }
    }

    private static boolean isSocket(Path path) throws IOException {
        if (!Files.exists(path, LinkOption.NOFOLLOW_LINKS)) {
            return false;
        }
        return Files.readAttributes(path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS)
                .isOther();
    }

    private void acceptAll() {
        while (server.isOpen()) {
            slots.acquireUninterruptibly();
            SocketChannel connection = accept();
            if (connection == null) {
                slots.release();
            } else {
                connections.add(connection);
                Thread.ofVirtual().start(() -> serve(connection));
            }
        }
    }

    private SocketChannel accept() {
        try {
            SocketChannel connection = server.accept();
            if (address instanceof InetSocketAddress) {
                connection.setOption(StandardSocketOptions.TCP_NODELAY, true);
            }
            return connection;
        } catch (ClosedChannelException e) {
            return null;
        } catch (IOException e) {
            pause();
            return null;
        }
    }

    /** Descriptors may be used up for a while. */
    private static void pause() {
        try {
            Thread.sleep(PAUSE_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void serve(SocketChannel connection) {
        try (connection) {
            if (server.isOpen()) {
                handler.accept(connection);
            }
        } catch (IOException e) {
            System.err.println("a connection did not close: " + e.getMessage());
        } finally {
            connections.remove(connection);
            slots.release();
        }
    }

    /** Ends listening and every connection. */
    @Override
    public void close() {
        closeQuietly(server);
        connections.forEach(Listener::closeQuietly);
        if (address instanceof UnixDomainSocketAddress unix) {
            try {
                Files.deleteIfExists(unix.getPath());
            } catch (IOException e) {
                System.err.println("a socket was not removed: " + e.getMessage());
            }
        }
    }

    static void closeQuietly(AutoCloseable closeable) {
        try {
            closeable.close();
        } catch (Exception e) {
            System.err.println("a channel did not close: " + e.getMessage());
        }
    }
}
