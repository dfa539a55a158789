package org.berth.process.egress;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;

/**
 * A forward proxy for HTTP: CONNECT, and requests with an absolute http URL. It lets through what its rules list, looks
 * names up itself and connects to the very address that it judged. One request a connection. Refusals are answered 403
 * and reported.
 */
public final class ForwardProxy implements AutoCloseable {
    private static final int CONNECT_MILLIS = 10_000;
    private static final long HEAD_MILLIS = 10_000;

    private final Listener listener;
    private final AddressLookup lookup;
    private final Consumer<Refusal> refusals;
    private final Clock clock;
    private volatile EgressRules rules;

    private ForwardProxy(
            SocketAddress listenAt, EgressRules rules, AddressLookup lookup, Consumer<Refusal> refusals, Clock clock)
            throws IOException {
        this.rules = rules;
        this.lookup = lookup;
        this.refusals = refusals;
        this.clock = clock;
        this.listener = Listener.open(listenAt, Relay.MAX_CONNECTIONS, this::serve);
    }

    /**
     * Listens at once.
     *
     * @param listenAt a loopback address, or the address of a Unix socket in a private directory
     * @param refusals told of each refusal, from any thread
     */
    public static ForwardProxy open(
            SocketAddress listenAt, EgressRules rules, AddressLookup lookup, Consumer<Refusal> refusals, Clock clock)
            throws IOException {
        return new ForwardProxy(listenAt, rules, lookup, refusals, clock);
    }

    /** Where it listens; its port is the true one also when 0 was asked for. */
    public SocketAddress address() {
        return listener.address();
    }

    /** Takes other rules for the connections to come. */
    public void rules(EgressRules replacement) {
        rules = replacement;
    }

    private void serve(SocketChannel client) {
        try {
            ByteBuffer received = ByteBuffer.allocate(Splice.BUFFER_BYTES);
            int end = readHead(client, received);
            if (end < 0) {
                return;
            }
            byte[] head = Arrays.copyOf(received.array(), end);
            received.flip().position(end);
            RequestHead request = parse(client, head);
            if (request != null) {
                forward(client, request, received);
            }
        } catch (IOException e) {
            Listener.closeQuietly(client);
        }
    }

    private static RequestHead parse(SocketChannel client, byte[] head) throws IOException {
        try {
            return RequestHead.parse(head);
        } catch (IllegalArgumentException e) {
            answer(client, "400 Bad Request", "This proxy cannot read the request: " + e.getMessage() + ".");
            return null;
        }
    }

    /** @return the head's length with its empty line; negative when the request was answered or the client went */
    private static int readHead(SocketChannel client, ByteBuffer into) throws IOException {
        Thread watch = Thread.startVirtualThread(() -> closeLater(client));
        try {
            while (true) {
                int end = endOfHead(into.array(), into.position());
                if (end >= 0 && end <= RequestHead.MAX_BYTES) {
                    return end;
                }
                if (into.position() > RequestHead.MAX_BYTES) {
                    answer(client, "431 Request Header Fields Too Large", "The request's head is too large.");
                    return -1;
                }
                if (client.read(into) < 0) {
                    return -1;
                }
            }
        } finally {
            watch.interrupt();
        }
    }

    private static void closeLater(SocketChannel client) {
        try {
            Thread.sleep(HEAD_MILLIS);
            Listener.closeQuietly(client);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static int endOfHead(byte[] bytes, int length) {
        for (int i = 3; i < length; i++) {
            if (bytes[i] == '\n' && bytes[i - 1] == '\r' && bytes[i - 2] == '\n' && bytes[i - 3] == '\r') {
                return i + 1;
            }
        }
        return -1;
    }

    private void forward(SocketChannel client, RequestHead request, ByteBuffer received) throws IOException {
        EgressRules current = rules;
        Endpoint wanted = request.endpoint();
        if (!current.lists(wanted)) {
            refuse(client, wanted, Refusal.Reason.NOT_LISTED);
            return;
        }
        List<InetAddress> addresses;
        try {
            InetAddress literal = wanted.literal();
            addresses = literal != null ? List.of(literal) : lookup.find(wanted.host());
        } catch (IOException e) {
            answer(client, "502 Bad Gateway", "The name " + wanted.host() + " has no address.");
            return;
        }
        List<InetAddress> admitted = current.admitted(wanted, addresses);
        if (admitted.isEmpty()) {
            refuse(client, wanted, Refusal.Reason.ADDRESS_NOT_PUBLIC);
            return;
        }
        try (SocketChannel upstream = connect(admitted, wanted.port())) {
            if (upstream == null) {
                answer(client, "502 Bad Gateway", "There is no connection to " + wanted.authority() + ".");
            } else {
                carry(client, request, received, upstream);
            }
        }
    }

    private static void carry(SocketChannel client, RequestHead request, ByteBuffer received, SocketChannel upstream)
            throws IOException {
        Splice splice = new Splice(client, upstream);
        if (request.tunnel()) {
            splice.write(client, ascii("HTTP/1.1 200 Connection established\r\n\r\n"));
            splice.run(() -> {
                splice.write(upstream, received);
                splice.copy(client, upstream);
            });
        } else {
            splice.write(upstream, ByteBuffer.wrap(request.originHead()));
            splice.run(() -> new RequestBody(client, received).forward(request.bodyBytes(), upstream, splice));
        }
    }

    private static SocketChannel connect(List<InetAddress> addresses, int port) {
        for (InetAddress address : addresses) {
            try {
                return Listener.connect(
                        new InetSocketAddress(address, port), Math.max(1000, CONNECT_MILLIS / addresses.size()));
            } catch (IOException e) {
                continue;
            }
        }
        return null;
    }

    private void refuse(SocketChannel client, Endpoint wanted, Refusal.Reason reason) throws IOException {
        refusals.accept(new Refusal(clock.instant(), wanted.host(), wanted.port(), reason));
        answer(
                client,
                "403 Forbidden",
                switch (reason) {
                    case NOT_LISTED -> "This environment may not reach " + wanted.authority() + ".";
                    case ADDRESS_NOT_PUBLIC ->
                        wanted.host() + " leads to an address that this environment may not reach.";
                });
    }

    private static void answer(SocketChannel client, String status, String sentence) throws IOException {
        byte[] body = (sentence + "\n").getBytes(StandardCharsets.UTF_8);
        ByteBuffer head = ascii("HTTP/1.1 " + status + "\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Length: "
                + body.length + "\r\nConnection: close\r\n\r\n");
        while (head.hasRemaining()) {
            client.write(head);
        }
        ByteBuffer rest = ByteBuffer.wrap(body);
        while (rest.hasRemaining()) {
            client.write(rest);
        }
        drain(client);
    }

    /** Reads what the client is still sending, so that the kernel does not drop the answer with a reset. */
    private static void drain(SocketChannel client) throws IOException {
        client.shutdownOutput();
        Thread watch = Thread.startVirtualThread(() -> closeLater(client));
        ByteBuffer sink = ByteBuffer.allocate(Splice.BUFFER_BYTES);
        long left = 1L << 20;
        try {
            int read = 0;
            while (read >= 0 && left > 0) {
                read = client.read(sink.clear());
                left -= read;
            }
        } finally {
            watch.interrupt();
        }
    }

    private static ByteBuffer ascii(String text) {
        return ByteBuffer.wrap(text.getBytes(StandardCharsets.ISO_8859_1));
    }

    @Override
    public void close() {
        listener.close();
    }
}
