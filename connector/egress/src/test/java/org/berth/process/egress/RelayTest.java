package org.berth.process.egress;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(30)
class RelayTest {
    private static final SocketAddress ANY_PORT = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);

    @TempDir
    Path directory;

    /** Answers each connection with all it was sent, after its end. */
    private static ServerSocket echoAfterTheEnd() throws IOException {
        ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        Thread.startVirtualThread(() -> {
            while (!server.isClosed()) {
                try {
                    Socket socket = server.accept();
                    Thread.startVirtualThread(() -> echo(socket));
                } catch (IOException e) {
                    return;
                }
            }
        });
        return server;
    }

    private static void echo(Socket socket) {
        try (socket) {
            byte[] all = socket.getInputStream().readAllBytes();
            socket.getOutputStream().write(all);
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    @Test
    void twoRelaysThroughAUnixSocketKeepBytesAndHalfClose() throws Exception {
        byte[] sent = new byte[3_000_000];
        new Random(1).nextBytes(sent);
        UnixDomainSocketAddress middle = UnixDomainSocketAddress.of(directory.resolve("relay-1.sock"));
        try (ServerSocket server = echoAfterTheEnd();
                Relay outer = Relay.open(middle, server.getLocalSocketAddress());
                Relay inner = Relay.open(ANY_PORT, middle);
                Socket client = new Socket()) {
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(middle.getPath())))
                    .isEqualTo("rw-------");
            assertThat(outer.address()).isEqualTo(middle);
            client.connect(inner.address());
            client.getOutputStream().write(sent);
            client.shutdownOutput();
            assertThat(client.getInputStream().readAllBytes()).isEqualTo(sent);
        }
        assertThat(middle.getPath()).doesNotExist();
    }

    @Test
    void anAbsentTargetEndsTheConnectionAndIsFoundWhenItComes() throws Exception {
        UnixDomainSocketAddress target = UnixDomainSocketAddress.of(directory.resolve("late.sock"));
        try (Relay relay = Relay.open(ANY_PORT, target)) {
            try (Socket client = new Socket()) {
                client.connect(relay.address());
                assertThat(client.getInputStream().read()).isEqualTo(-1);
            }
            try (ServerSocket server = echoAfterTheEnd();
                    Relay late = Relay.open(target, server.getLocalSocketAddress());
                    Socket client = new Socket()) {
                assertThat(late.address()).isEqualTo(target);
                client.connect(relay.address());
                client.getOutputStream().write('x');
                client.shutdownOutput();
                assertThat(client.getInputStream().readAllBytes()).containsExactly('x');
            }
        }
    }

    @Test
    void aSocketThatAnEndedProcessLeftIsReplacedAndAFileIsNot() throws Exception {
        Path path = directory.resolve("left.sock");
        SocketChannel.open(java.net.StandardProtocolFamily.UNIX)
                .bind(UnixDomainSocketAddress.of(path))
                .close();
        assertThat(path).exists();
        Relay.open(UnixDomainSocketAddress.of(path), ANY_PORT).close();
        Path file = Files.writeString(directory.resolve("file"), "kept");
        org.assertj.core.api.Assertions.assertThatThrownBy(() -> Relay.open(UnixDomainSocketAddress.of(file), ANY_PORT))
                .isInstanceOf(IOException.class);
        assertThat(file).hasContent("kept");
    }

    @Test
    void closingEndsOpenConnections() throws Exception {
        Relay relay;
        try (ServerSocket server = echoAfterTheEnd();
                Socket client = new Socket()) {
            relay = Relay.open(ANY_PORT, server.getLocalSocketAddress());
            client.connect(relay.address());
            client.getOutputStream().write('x');
            relay.close();
            assertThat(readOrEnd(client)).isEqualTo(-1);
        }
    }

    private static int readOrEnd(Socket client) {
        try {
            return client.getInputStream().read();
        } catch (IOException e) {
            return -1;
        }
    }

    @Test
    void aClientThatDoesNotReadHoldsUpOnlyItself() throws Exception {
        try (ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
                Relay relay = Relay.open(ANY_PORT, server.getLocalSocketAddress());
                SocketChannel idle = SocketChannel.open(relay.address());
                SocketChannel busy = SocketChannel.open(relay.address())) {
            Socket one = server.accept();
            Socket two = server.accept();
            for (Socket each : new Socket[] {one, two}) {
                Thread.startVirtualThread(() -> flood(each));
            }
            ByteBuffer buffer = ByteBuffer.allocate(1 << 16);
            long read = 0;
            while (read < 8_000_000) {
                read += busy.read(buffer.clear());
            }
            assertThat(idle.isConnected()).isTrue();
        }
    }

    private static void flood(Socket socket) {
        byte[] bytes = new byte[65_536];
        try (socket) {
            while (true) {
                socket.getOutputStream().write(bytes);
            }
        } catch (IOException e) {
            assertThat(e).isNotNull();
        }
    }
}
