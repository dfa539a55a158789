package org.berth.process.egress;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class ForwardProxyTest {
    private static final SocketAddress ANY_PORT = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    private static final Instant NOW = Instant.parse("2026-01-02T03:04:05Z");

    private final BlockingQueue<Refusal> refusals = new LinkedBlockingQueue<>();
    private final BlockingQueue<String> received = new LinkedBlockingQueue<>();
    private ServerSocket server;
    private ForwardProxy proxy;

    @BeforeEach
    void start() throws IOException {
        server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        Thread.startVirtualThread(this::serve);
        proxy = ForwardProxy.open(
                ANY_PORT,
                new EgressRules(List.of(
                        new Endpoint("127.0.0.1", server.getLocalPort()),
                        new Endpoint("listed.example", server.getLocalPort()),
                        new Endpoint("private.example", 443),
                        new Endpoint("unknown.example", 443))),
                ForwardProxyTest::lookup,
                refusals::add,
                Clock.fixed(NOW, ZoneOffset.UTC));
    }

    @AfterEach
    void stop() throws IOException {
        proxy.close();
        server.close();
    }

    private static List<InetAddress> lookup(String host) throws IOException {
        return switch (host) {
            case "listed.example" -> List.of(InetAddress.ofLiteral("127.0.0.1"));
            case "private.example" -> List.of(InetAddress.ofLiteral("10.0.0.1"), InetAddress.ofLiteral("::1"));
            default -> throw new UnknownHostException(host);
        };
    }

    /** An endpoint that keeps what it is sent until its client's end or an empty line's request, and answers "ok". */
    private void serve() {
        try {
            while (true) {
                Socket socket = server.accept();
                Thread.startVirtualThread(() -> answer(socket));
            }
        } catch (IOException e) {
            assertThat(server.isClosed()).isTrue();
        }
    }

    private void answer(Socket socket) {
        try (socket) {
            ByteArrayOutputStream all = new ByteArrayOutputStream();
            InputStream in = socket.getInputStream();
            int c;
            while ((c = in.read()) >= 0) {
                all.write(c);
                if (all.toString(StandardCharsets.ISO_8859_1).endsWith("END")) {
                    break;
                }
            }
            received.add(all.toString(StandardCharsets.ISO_8859_1));
            socket.getOutputStream().write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok".getBytes());
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    private String ask(String request) throws IOException {
        try (Socket client = new Socket()) {
            client.connect(proxy.address());
            client.getOutputStream().write(request.getBytes(StandardCharsets.ISO_8859_1));
            client.shutdownOutput();
            return new String(client.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
        }
    }

    private String sent() throws InterruptedException {
        return received.poll(10, TimeUnit.SECONDS);
    }

    @Test
    void aTunnelCarriesBytesToTheListedPair() throws Exception {
        String answer = ask("CONNECT 127.0.0.1:" + server.getLocalPort() + " HTTP/1.1\r\n\r\nearly bytes");
        assertThat(answer).startsWith("HTTP/1.1 200 Connection established\r\n\r\nHTTP/1.1 200 OK");
        assertThat(sent()).isEqualTo("early bytes");
        assertThat(refusals).isEmpty();
    }

    @Test
    void aListedNameIsLookedUpByTheProxy() throws Exception {
        assertThat(ask("CONNECT listed.example:" + server.getLocalPort() + " HTTP/1.1\r\n\r\nx"))
                .contains("ok");
    }

    @Test
    void anAbsoluteRequestReachesItsEndpointWithItsBodyOnly() throws Exception {
        String url = "http://127.0.0.1:" + server.getLocalPort() + "/path";
        String answer = ask(
                "POST " + url + " HTTP/1.1\r\nContent-Length: 3\r\n\r\nENDGET http://other.example/ HTTP/1.1\r\n\r\n");
        assertThat(answer).endsWith("ok");
        assertThat(sent())
                .isEqualTo("POST /path HTTP/1.1\r\nHost: 127.0.0.1:" + server.getLocalPort()
                        + "\r\nContent-Length: 3\r\nConnection: close\r\n\r\nEND");
    }

    @Test
    void aChunkedBodyIsHandedOnAsItIs() throws Exception {
        String url = "http://127.0.0.1:" + server.getLocalPort() + "/";
        String body = "5;ext=1\r\nhello\r\na\r\n0123456789\r\n0\r\nTrailer: END\r\n\r\n";
        assertThat(ask("POST " + url + " HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n" + body + "GET / HTTP/1.1"))
                .endsWith("ok");
        assertThat(sent()).endsWith("\r\n\r\n" + body.substring(0, body.indexOf("END") + 3));
    }

    @Test
    void anUnlistedPairIsRefusedAndReported() throws Exception {
        assertThat(ask("CONNECT other.example:443 HTTP/1.1\r\n\r\n")).startsWith("HTTP/1.1 403 Forbidden\r\n");
        assertThat(ask("GET http://listed.example/ HTTP/1.1\r\n\r\n")).startsWith("HTTP/1.1 403 ");
        assertThat(refusals)
                .containsExactly(
                        new Refusal(NOW, "other.example", 443, Refusal.Reason.NOT_LISTED),
                        new Refusal(NOW, "listed.example", 80, Refusal.Reason.NOT_LISTED));
        assertThat(received).isEmpty();
    }

    @Test
    void aListedNameThatLeadsToThePrivateNetworkIsRefused() throws Exception {
        assertThat(ask("CONNECT private.example:443 HTTP/1.1\r\n\r\n")).startsWith("HTTP/1.1 403 ");
        assertThat(refusals)
                .containsExactly(new Refusal(NOW, "private.example", 443, Refusal.Reason.ADDRESS_NOT_PUBLIC));
    }

    @Test
    void otherRulesHoldForTheNextConnection() throws Exception {
        proxy.rules(new EgressRules(List.of()));
        assertThat(ask("CONNECT 127.0.0.1:" + server.getLocalPort() + " HTTP/1.1\r\n\r\n"))
                .startsWith("HTTP/1.1 403 ");
    }

    @Test
    void whatCannotBeReachedOrReadIsAnsweredAndIsNoRefusal() throws Exception {
        assertThat(ask("CONNECT unknown.example:443 HTTP/1.1\r\n\r\n")).startsWith("HTTP/1.1 502 ");
        assertThat(ask("GET / HTTP/1.1\r\n\r\n")).startsWith("HTTP/1.1 400 ");
        assertThat(ask("GET http://a.example/ HTTP/1.1\r\nA: " + "x".repeat(40_000) + "\r\n\r\n"))
                .startsWith("HTTP/1.1 431 ");
        int closed;
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            closed = free.getLocalPort();
        }
        proxy.rules(new EgressRules(List.of(new Endpoint("127.0.0.1", closed))));
        assertThat(ask("CONNECT 127.0.0.1:" + closed + " HTTP/1.1\r\n\r\n")).startsWith("HTTP/1.1 502 ");
        assertThat(refusals).isEmpty();
    }
}
