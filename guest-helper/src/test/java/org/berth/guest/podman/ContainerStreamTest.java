package org.berth.guest.podman;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ContainerStreamTest {
    private static final String MADE = "HTTP/1.0 201 Created\r\nContent-Type: application/json\r\n\r\n{\"Id\":\"e1\"}";

    private final List<String> asked = new CopyOnWriteArrayList<>();
    private final List<byte[]> answers = new CopyOnWriteArrayList<>();
    private Path socket;
    private ServerSocketChannel server;

    @BeforeEach
    void serve(@TempDir Path directory) throws IOException {
        socket = directory.resolve("s");
        server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
        server.bind(UnixDomainSocketAddress.of(socket));
        Thread.ofVirtual().start(() -> {
            while (server.isOpen()) {
                try (SocketChannel channel = server.accept()) {
                    ByteBuffer request = ByteBuffer.allocate(4096);
                    channel.read(request);
                    asked.add(new String(request.array(), 0, request.position(), StandardCharsets.UTF_8));
                    channel.write(ByteBuffer.wrap(answers.removeFirst()));
                } catch (IOException e) {
                    return;
                }
            }
        });
    }

    @AfterEach
    void end() throws IOException {
        server.close();
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }

    @Test
    void the_commands_output_comes_without_its_frames_up_to_its_end() throws IOException {
        ByteArrayOutputStream stream = new ByteArrayOutputStream();
        stream.writeBytes(bytes("HTTP/1.1 101 UPGRADED\r\nUpgrade: tcp\r\n\r\n"));
        stream.writeBytes(new byte[] {1, 0, 0, 0, 0, 0, 0, 3, 'a', 'b', 'c'});
        stream.writeBytes(new byte[] {2, 0, 0, 0, 0, 0, 0, 1, '!'});
        stream.writeBytes(new byte[] {1, 0, 0, 0, 0, 0, 0, 2, 'd', 'e'});
        answers.add(bytes(MADE));
        answers.add(stream.toByteArray());

        ByteBuffer seen = ByteBuffer.allocate(100);
        try (ContainerStream open = ContainerStream.open(socket, "c-1", List.of("guest", "--view-pipe"))) {
            int count = 0;
            while (count >= 0) {
                count = open.read(seen);
            }
        }
        assertThat(new String(seen.array(), 0, seen.position(), StandardCharsets.US_ASCII))
                .isEqualTo("abcde");
        assertThat(asked.getFirst())
                .startsWith("POST /v4.0.0/libpod/containers/c-1/exec HTTP/1.0\r\n")
                .contains("\"Cmd\":[\"guest\",\"--view-pipe\"]");
        assertThat(asked.getLast()).startsWith("POST /v4.0.0/libpod/exec/e1/start HTTP/1.1\r\n");
    }

    @Test
    void what_podman_refuses_is_told_in_its_words() {
        answers.add(bytes("HTTP/1.0 500 X\r\n\r\n{\"message\":\"container state improper\"}"));
        assertThatThrownBy(() -> ContainerStream.open(socket, "c-1", List.of("guest")))
                .hasMessageContaining("container state improper");
        answers.add(bytes(MADE));
        answers.add(bytes("HTTP/1.1 409 Conflict\r\n\r\n"));
        assertThatThrownBy(() -> ContainerStream.open(socket, "c-1", List.of("guest")))
                .hasMessageContaining("409 Conflict");
    }

    @Test
    void what_is_no_containers_name_asks_for_nothing() {
        assertThatThrownBy(() -> ContainerStream.open(socket, "../x", List.of("guest")))
                .isInstanceOf(IllegalArgumentException.class);
        assertThat(asked).isEmpty();
    }
}
