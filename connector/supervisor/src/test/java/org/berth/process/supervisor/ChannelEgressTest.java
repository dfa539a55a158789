package org.berth.process.supervisor;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.berth.environment.ChannelOrder.Endpoint;
import org.berth.process.protocol.Frame;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ChannelEgressTest extends SupervisedTest {
    private static final int MUCH = 64 * 1024 * 1024;

    @TempDir
    Path files;

    private ChannelFixture channel;
    private ServerSocket service;

    @BeforeEach
    void prepare() throws IOException {
        channel = new ChannelFixture(files);
        service = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        Thread.ofPlatform().daemon().start(this::repeat);
    }

    @AfterEach
    void closeAll() throws IOException {
        channel.close(client);
        channel.close();
        service.close();
    }

    /** Says back what each connection says. */
    private void repeat() {
        while (!service.isClosed()) {
            try {
                Socket socket = service.accept();
                Thread.ofPlatform().daemon().start(() -> {
                    try (socket) {
                        socket.getInputStream().transferTo(socket.getOutputStream());
                    } catch (IOException e) {
                        // The other side went away.
                    }
                });
            } catch (IOException e) {
                return;
            }
        }
    }

    private static void write(SocketChannel channel, ByteBuffer bytes) {
        try {
            while (bytes.hasRemaining()) {
                channel.write(bytes);
            }
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private static String line(SocketChannel channel) throws IOException {
        StringBuilder line = new StringBuilder();
        ByteBuffer one = ByteBuffer.allocate(1);
        while (channel.read(one.clear()) > 0 && one.get(0) != '\n') {
            line.append((char) one.get(0));
        }
        return line.toString().strip();
    }

    private String connect(String authority) throws IOException {
        try (SocketChannel proxy = channel.dial("proxy.sock")) {
            write(proxy, ascii("CONNECT " + authority + " HTTP/1.1\r\nHost: " + authority + "\r\n\r\n"));
            return line(proxy);
        }
    }

    private static ByteBuffer ascii(String text) {
        return ByteBuffer.wrap(text.getBytes(StandardCharsets.US_ASCII));
    }

    @Test
    void aRelayCarriesMuchBothWaysAndLeavesTheSupervisorResponsive() throws Exception {
        channel.open(client, channel.order(List.of(service.getLocalPort()), List.of()));
        try (SocketChannel relay = channel.dial("relay-" + service.getLocalPort() + ".sock")) {
            Thread writer = Thread.ofPlatform().start(() -> {
                ByteBuffer block = ByteBuffer.allocate(1024 * 1024);
                for (int sent = 0; sent < MUCH; sent += block.capacity()) {
                    write(relay, block.clear());
                }
            });
            ByteBuffer in = ByteBuffer.allocate(1024 * 1024);
            long start = System.nanoTime();
            long received = 0;
            while (received < MUCH) {
                received += relay.read(in.clear());
                if (received < MUCH / 2) {
                    assertThat(client.await(client.order(new Frame.QueryAll()), Duration.ofSeconds(2)))
                            .isInstanceOf(Frame.AllReply.class);
                }
            }
            assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(30));
            writer.join();
        }
    }

    @Test
    void theProxyLetsThroughWhatIsListedAndRecordsTheRest() throws IOException {
        int port = service.getLocalPort();
        channel.open(client, channel.order(List.of(), List.of(new Endpoint("127.0.0.1", port))));
        try (SocketChannel proxy = channel.dial("proxy.sock")) {
            write(proxy, ascii("CONNECT 127.0.0.1:" + port + " HTTP/1.1\r\nHost: x\r\n\r\n"));
            assertThat(line(proxy)).contains(" 200 ");
            while (!line(proxy).isEmpty()) {
                // The rest of the answer's head.
            }
            write(proxy, ascii("hello\n"));
            assertThat(line(proxy)).isEqualTo("hello");
        }
        assertThat(connect("127.0.0.1:1")).contains(" 403 ");
        assertThat(connect("localhost:" + port)).contains(" 403 ");
        Await.until("both refusals are counted", () -> channel.status(client).refused() == 2);
        assertThat(Files.readAllLines(files.resolve("refusals.log")))
                .hasSize(2)
                .allSatisfy(line -> assertThat(line).startsWith("{").contains("\"host\":", "\"port\":", "\"reason\":"));
    }

    @Test
    void aChangedListHoldsAtOnceAndAStreamThatIsOpenGoesOn() throws IOException {
        int port = service.getLocalPort();
        channel.open(client, channel.order(List.of(), List.of(new Endpoint("127.0.0.1", port))));
        try (SocketChannel proxy = channel.dial("proxy.sock")) {
            write(proxy, ascii("CONNECT 127.0.0.1:" + port + " HTTP/1.1\r\nHost: x\r\n\r\n"));
            while (!line(proxy).isEmpty()) {
                // The answer's head.
            }
            channel.open(client, channel.order());
            assertThat(connect("127.0.0.1:" + port)).contains(" 403 ");
            write(proxy, ascii("still\n"));
            assertThat(line(proxy)).isEqualTo("still");
        }
    }

    @Test
    void withoutAnOpenChannelTheSupervisorHasNoThreadMore() throws IOException {
        try (TestSupervisor own = TestSupervisor.start();
                TestClient other = own.client()) {
            int before = threads(own);
            assertThat(channel.status(other)).isNull();
            assertThat(threads(own)).isEqualTo(before);
            assertThat(names(own)).noneMatch(name -> name.startsWith("channels") || name.startsWith("ForkJoin"));
            channel.open(other, channel.order());
            assertThat(threads(own)).isGreaterThan(before);
            channel.close(other);
        }
    }

    private static int threads(TestSupervisor own) throws IOException {
        return names(own).size();
    }

    private static List<String> names(TestSupervisor own) throws IOException {
        try (var tasks = Files.list(Path.of("/proc/" + own.pid() + "/task"))) {
            return tasks.map(task -> {
                        try {
                            return Files.readString(task.resolve("comm")).strip();
                        } catch (IOException e) {
                            return "";
                        }
                    })
                    .toList();
        }
    }
}
