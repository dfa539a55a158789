package org.berth.guest.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.DataInputStream;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.berth.guest.os.Handle;
import org.berth.guest.os.Kernel;
import org.berth.guest.os.Pty;
import org.berth.guest.os.Spawn;
import org.berth.guest.os.TerminalSize;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class ViewerClientTest {
    @TempDir
    Path directory;

    private ServerSocketChannel server;
    private Pty pty;
    private long client;

    @BeforeEach
    void start() throws IOException {
        Path socket = directory.resolve("viewer.sock");
        server = ServerSocketChannel.open(StandardProtocolFamily.UNIX).bind(UnixDomainSocketAddress.of(socket));
        pty = Pty.open(new TerminalSize(31, 77));
        try (Handle root = Handle.root()) {
            client = Spawn.start(
                    Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                    List.of(
                            "java",
                            "--enable-native-access=ALL-UNNAMED",
                            "-cp",
                            System.getProperty("java.class.path"),
                            "org.berth.guest.Guest",
                            "--view",
                            socket.toString()),
                    Map.of("PATH", "/usr/bin:/bin"),
                    System.getProperty("user.dir"),
                    pty.slave(),
                    root);
        }
    }

    @AfterEach
    void stop() throws IOException {
        ProcessHandle.of(client).ifPresent(ProcessHandle::destroyForcibly);
        pty.close();
        server.close();
    }

    private void type(String text) {
        ByteBuffer memory = Kernel.memory(text.length());
        pty.write(memory.put(text.getBytes(StandardCharsets.US_ASCII)).flip());
    }

    /** What the viewer's terminal shows until {@code text}. */
    private String shown(String text) {
        StringBuilder all = new StringBuilder();
        ByteBuffer buffer = Kernel.memory(1000);
        while (all.indexOf(text) < 0 && pty.read(buffer.clear()) >= 0) {
            all.append(StandardCharsets.US_ASCII.decode(buffer.flip()));
        }
        return all.toString();
    }

    private boolean ended() {
        return ProcessHandle.of(client)
                .map(handle -> {
                    try {
                        handle.onExit().get(20, TimeUnit.SECONDS);
                        return true;
                    } catch (Exception e) {
                        return false;
                    }
                })
                .orElse(true);
    }

    @Test
    void keysSizesAndTheScreenAreCarriedUntilCtrlBracket() throws Exception {
        try (SocketChannel helper = server.accept()) {
            DataInputStream in = new DataInputStream(Channels.newInputStream(helper));
            assertThat(ViewerFrame.read(in)).isEqualTo(new ViewerFrame.Size(new TerminalSize(31, 77)));
            helper.write(ByteBuffer.wrap("\u001b[2Jscreen".getBytes(StandardCharsets.US_ASCII)));
            assertThat(shown("screen")).isEqualTo("\u001b[2Jscreen");
            type("a\u0003\r");
            StringBuilder typed = new StringBuilder();
            while (typed.length() < 3) {
                typed.append(new String(((ViewerFrame.Keys) ViewerFrame.read(in)).bytes(), StandardCharsets.US_ASCII));
            }
            assertThat(typed).hasToString("a\u0003\r");
            pty.resize(new TerminalSize(32, 78));
            assertThat(ViewerFrame.read(in)).isEqualTo(new ViewerFrame.Size(new TerminalSize(32, 78)));
            type("last\u001dnever");
            ViewerFrame.Keys last = (ViewerFrame.Keys) ViewerFrame.read(in);
            assertThat(new String(last.bytes(), StandardCharsets.US_ASCII)).isEqualTo("last");
            assertThat(ViewerFrame.read(in)).isNull();
        }
        assertThat(shown("the view has ended")).contains("the view has ended");
        assertThat(ended()).isTrue();
    }

    @Test
    void theHelpersEndIsTheViewsEnd() throws Exception {
        server.accept().close();
        assertThat(shown("the view has ended")).contains("the view has ended");
        assertThat(ended()).isTrue();
    }
}
