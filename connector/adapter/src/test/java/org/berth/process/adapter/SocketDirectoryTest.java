package org.berth.process.adapter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SocketDirectoryTest {
    @TempDir
    Path root;

    private SocketDirectory own(Path path) throws Exception {
        return new SocketDirectory(path, SocketDirectory.ownUid());
    }

    @Test
    void isMadePrivateWithItsParent() throws Exception {
        Path path = root.resolve("parent/instance");
        own(path).prepare();
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(path)))
                .isEqualTo("rwx------");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(path.getParent())))
                .isEqualTo("rwx------");
    }

    @Test
    void isRefusedWhenOthersMayWrite() throws Exception {
        Path path = Files.createDirectory(root.resolve("open"));
        Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rwxrwx---"));
        assertThatThrownBy(() -> own(path).prepare())
                .isInstanceOf(LocalAccessException.class)
                .hasMessageContaining(path.toString())
                .hasMessageContaining("rwxrwx---")
                .hasMessageContaining("chmod 700");
    }

    @Test
    void isRefusedWhenItsParentIsOpenToOthers() throws Exception {
        Path parent = Files.createDirectory(root.resolve("open"));
        Files.setPosixFilePermissions(parent, PosixFilePermissions.fromString("rwxrwxrwx"));
        assertThatThrownBy(() -> own(parent.resolve("instance")).prepare())
                .isInstanceOf(LocalAccessException.class)
                .hasMessageContaining(parent.toString());
    }

    @Test
    void isRefusedWhenItBelongsToAnotherUser() throws Exception {
        Path path = Files.createDirectory(root.resolve("theirs"));
        long own = SocketDirectory.ownUid();
        assertThatThrownBy(() -> new SocketDirectory(path, own + 1).connect(path.resolve("x")))
                .isInstanceOf(LocalAccessException.class)
                .hasMessageContaining(path.toString())
                .hasMessageContaining("belongs to user " + own + ", not to user " + (own + 1))
                .hasMessageContaining("socketDirectory");
    }

    @Test
    void isRefusedWhenItIsALink() throws Exception {
        Path real = Files.createDirectory(root.resolve("real"));
        Path link = Files.createSymbolicLink(root.resolve("link"), real);
        assertThatThrownBy(() -> own(link).prepare())
                .isInstanceOf(LocalAccessException.class)
                .hasMessageContaining(link + ": is not a real directory")
                .hasMessageContaining("Remove it");
    }

    @Test
    void isRefusedWhenItsPathIsTooLongForASocket() {
        Path path = root.resolve("x".repeat(100));
        assertThatThrownBy(() -> own(path).prepare())
                .isInstanceOf(LocalAccessException.class)
                .hasMessageContaining("too long");
    }

    @Test
    void aPeerOfAnotherUserIsLeftWithoutAByte() throws Exception {
        Path path = root.resolve("s");
        own(path).prepare();
        Path socket = path.resolve("supervisor-00000000.sock");
        try (ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            server.bind(UnixDomainSocketAddress.of(socket));
            SocketDirectory directory =
                    new SocketDirectory(path, SocketDirectory.ownUid(), channel -> () -> "somebody-else");

            assertThatThrownBy(() -> directory.connect(socket))
                    .isInstanceOf(LocalAccessException.class)
                    .hasMessageContaining(socket.toString())
                    .hasMessageContaining("served by user somebody-else")
                    .hasMessageContaining("remove the socket");
            try (SocketChannel accepted = server.accept()) {
                assertThat(accepted.read(ByteBuffer.allocate(16))).isEqualTo(-1);
            }
        }
    }

    @Test
    void aPeerOfThisUserIsAccepted() throws Exception {
        Path path = root.resolve("s");
        own(path).prepare();
        Path socket = path.resolve("supervisor-00000000.sock");
        try (ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            server.bind(UnixDomainSocketAddress.of(socket));
            assertThatCode(() -> own(path).connect(socket).close()).doesNotThrowAnyException();
            assertThat(own(path).sockets()).containsExactly(socket);
        }
    }
}
