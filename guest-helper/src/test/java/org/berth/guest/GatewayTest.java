package org.berth.guest;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class GatewayTest {
    @TempDir
    Path directory;

    private static String ask(Path socket, String request) throws IOException {
        try (SocketChannel channel = SocketChannel.open(UnixDomainSocketAddress.of(socket))) {
            channel.write(ByteBuffer.wrap(request.getBytes(StandardCharsets.US_ASCII)));
            channel.shutdownOutput();
            return new String(Channels.newInputStream(channel).readAllBytes(), StandardCharsets.US_ASCII);
        }
    }

    private static void answer(ServerSocket service) {
        try {
            while (true) {
                try (Socket socket = service.accept()) {
                    byte[] asked = socket.getInputStream().readAllBytes();
                    socket.getOutputStream().write(("answer to " + new String(asked)).getBytes());
                }
            }
        } catch (IOException e) {
            assertThat(service.isClosed()).isTrue();
        }
    }

    @Test
    void itHoldsTheOuterEndsOfRelaysAndProxyAndLogsRefusals() throws Exception {
        Path relay = directory.resolve("relay.sock");
        Path proxy = directory.resolve("proxy.sock");
        Path output = directory.resolve("out");
        try (ServerSocket service = new ServerSocket(0, 10, InetAddress.getByName("127.0.0.1"))) {
            Thread.startVirtualThread(() -> answer(service));
            int port = service.getLocalPort();
            List<String> command = HelperProcess.command(
                    "--gateway",
                    "--relay-end",
                    relay + "=" + port,
                    "--proxy-end",
                    proxy.toString(),
                    "--allow",
                    "127.0.0.1:" + port,
                    "--allow",
                    "a.example:443");
            try (HelperProcess gateway = HelperProcess.start(output, command)) {
                Await.until("it listens", () -> Files.exists(proxy));
                Await.until("the proxy answers", () -> !ask(proxy, "x\r\n\r\n").isEmpty());
                assertThat(ask(relay, "relayed")).isEqualTo("answer to relayed");
                assertThat(ask(proxy, "CONNECT 127.0.0.1:" + port + " HTTP/1.1\r\n\r\ntunnelled"))
                        .endsWith("answer to tunnelled");
                assertThat(ask(proxy, "CONNECT b.example:443 HTTP/1.1\r\n\r\n")).startsWith("HTTP/1.1 403 ");
                Await.until("the refusal is logged", () -> gateway.output().contains("\n"));
                assertThat(gateway.output())
                        .contains("\"host\":\"b.example\",\"port\":443,\"reason\":\"not_listed\"}")
                        .hasLineCount(1);
                gateway.process().destroy();
                assertThat(gateway.ended()).isTrue();
                assertThat(relay).doesNotExist();
                assertThat(proxy).doesNotExist();
            }
        }
    }

    @Test
    void unknownOptionsAreRefused() throws Exception {
        for (String[] wrong : new String[][] {
            {"--gateway", "--bogus", "x"},
            {"--gateway", "--relay-end", "/x=0"},
            {"--gateway", "--allow", "a.example"},
            {"--gateway", "--proxy-end"},
            {"--relay", "x=/y"},
            {"--control", "relative"},
            {"--read"},
            {"--bogus"}
        }) {
            try (HelperProcess helper = HelperProcess.start(directory.resolve("out"), HelperProcess.command(wrong))) {
                assertThat(helper.ended()).isTrue();
                assertThat(helper.process().exitValue())
                        .as(String.join(" ", wrong))
                        .isEqualTo(2);
            }
        }
    }
}
