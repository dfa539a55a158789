package org.berth.process.egress;

import java.io.IOException;
import java.net.SocketAddress;
import java.nio.channels.SocketChannel;

/**
 * Listens at one TCP or Unix socket and carries each connection to another, bytes both ways and half-closes kept. The
 * target is connected for each connection anew, so it may come and go; while it is absent connections are closed.
 */
public final class Relay implements AutoCloseable {
    /** Most connections at once; more wait. */
    static final int MAX_CONNECTIONS = 256;

    private static final int CONNECT_MILLIS = 10_000;

    private final SocketAddress target;
    private final Listener listener;

    private Relay(SocketAddress listenAt, SocketAddress target, Thread.Builder acceptor) throws IOException {
        this.target = target;
        this.listener = Listener.open(listenAt, MAX_CONNECTIONS, this::carry, acceptor);
    }

    /**
     * Listens at once.
     *
     * @param listenAt a loopback address, or the address of a Unix socket in a private directory
     */
    public static Relay open(SocketAddress listenAt, SocketAddress target) throws IOException {
        return open(listenAt, target, Thread.ofVirtual());
    }

    /**
     * Listens at once.
     *
     * @param acceptor the kind of thread that waits for connections: where there are few and none may ever come, a
     *     platform thread spares a short start the setting up of virtual ones
     */
    public static Relay open(SocketAddress listenAt, SocketAddress target, Thread.Builder acceptor) throws IOException {
        return new Relay(listenAt, target, acceptor);
    }

    /** Where it listens; its port is the true one also when 0 was asked for. */
    public SocketAddress address() {
        return listener.address();
    }

    private void carry(SocketChannel client) {
        try (SocketChannel upstream = Listener.connect(target, CONNECT_MILLIS)) {
            new Splice(client, upstream).run();
        } catch (IOException e) {
            Listener.closeQuietly(client);
        }
    }

    @Override
    public void close() {
        listener.close();
    }
}
