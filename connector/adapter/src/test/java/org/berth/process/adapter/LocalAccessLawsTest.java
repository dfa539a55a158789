package org.berth.process.adapter;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.UserPrincipal;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The laws of the socket's directory and its peers, over every kind of path, every mode and both owners. Source: the harness
 * reference, Local access, 1 and 2.
 */
class LocalAccessLawsTest {
    private static final int ALL_MODES = 0777;
    private static final int OTHERS_WRITE = 0022;

    @TempDir
    Path root;

    private enum Kind {
        DIRECTORY,
        LINK,
        FILE
    }

    private interface Check {
        void on(Path path, boolean own, boolean used) throws IOException;
    }

    /** Every path that is there already: what it is, its mode, and whether it is ours. */
    private void eachExisting(Check check) throws IOException {
        long uid = SocketDirectory.ownUid();
        Path target = Files.createDirectory(root.resolve("target"));
        for (Kind kind : Kind.values()) {
            Path path = root.resolve("s-" + kind);
            switch (kind) {
                case DIRECTORY -> Files.createDirectory(path);
                case LINK -> Files.createSymbolicLink(path, target);
                case FILE -> Files.createFile(path);
            }
            for (int mode = 0; mode <= ALL_MODES; mode++) {
                if (kind != Kind.LINK) {
                    Files.setAttribute(path, "unix:mode", mode);
                } else if (mode > 0) {
                    break;
                }
                for (boolean own : new boolean[] {true, false}) {
                    SocketDirectory directory = new SocketDirectory(path, own ? uid : uid + 1);
                    check.on(path, own, isUsed(directory));
                }
            }
        }
    }

    /** The parent is this user's own and closed, so only the directory itself decides for the owner. */
    private static boolean isUsed(SocketDirectory directory) throws IOException {
        try {
            directory.prepare();
            return true;
        } catch (LocalAccessException e) {
            assertThat(e).hasMessageContaining(directory.path().getParent().toString());
            return false;
        }
    }

    private static boolean isClosed(Path path) throws IOException {
        int mode = (Integer) Files.getAttribute(path, "unix:mode", LinkOption.NOFOLLOW_LINKS);
        return Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS) && (mode & OTHERS_WRITE) == 0;
    }

    @Test
    void socket_dir_owned() throws IOException {
        int[] refused = new int[1];
        eachExisting((path, own, used) -> {
            if (used) {
                assertThat(own).as(path.toString()).isTrue();
                assertThat(isClosed(path)).as(path.toString()).isTrue();
            } else {
                refused[0]++;
            }
        });
        assertThat(refused[0]).isGreaterThan(ALL_MODES);
    }

    @Test
    void socket_dir_progress() throws IOException {
        int[] usedTimes = new int[1];
        eachExisting((path, own, used) -> {
            if (own && isClosed(path)) {
                assertThat(used).as(path.toString()).isTrue();
                usedTimes[0]++;
            }
        });
        assertThat(usedTimes[0]).isEqualTo((ALL_MODES + 1) / 4);
    }

    @Test
    void socket_dir_created() throws IOException {
        for (String missing : new String[] {"one", "parent/one"}) {
            Path path = root.resolve(missing);
            new SocketDirectory(path, SocketDirectory.ownUid()).prepare();
            for (Path made = path; !made.equals(root); made = made.getParent()) {
                assertThat((Integer) Files.getAttribute(made, "unix:mode", LinkOption.NOFOLLOW_LINKS) & 07777)
                        .isEqualTo(0700);
            }
        }
    }

    @Test
    void socket_dir_created_used() throws IOException {
        SocketDirectory directory = new SocketDirectory(root.resolve("new"), SocketDirectory.ownUid());
        assertThat(isUsed(directory)).isTrue();
        assertThat(isUsed(directory)).isTrue();
    }

    /** Whether a peer of this user is kept; a refused one has not got a byte. */
    private boolean isAccepted(UserPrincipal peer) throws IOException {
        Path path = root.resolve("peers");
        new SocketDirectory(path, SocketDirectory.ownUid()).prepare();
        Path socket = path.resolve("supervisor-00000000.sock");
        Files.deleteIfExists(socket);
        try (ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            server.bind(UnixDomainSocketAddress.of(socket));
            SocketDirectory directory = new SocketDirectory(path, SocketDirectory.ownUid(), channel -> peer);
            try (SocketChannel connected = directory.connect(socket)) {
                return connected.isConnected();
            } catch (LocalAccessException e) {
                try (SocketChannel accepted = server.accept()) {
                    assertThat(accepted.read(ByteBuffer.allocate(1))).isEqualTo(-1);
                }
                return false;
            }
        }
    }

    @Test
    void peer_same_uid() throws IOException {
        UserPrincipal own = Files.getOwner(root);
        for (String name : new String[] {"nobody", "root", "daemon", "0", "1000", "", own.getName() + "x"}) {
            UserPrincipal other = () -> name;
            assertThat(isAccepted(other)).as(name).isFalse();
        }
        for (String name : new String[] {"nobody", "daemon", "bin"}) {
            UserPrincipal other =
                    root.getFileSystem().getUserPrincipalLookupService().lookupPrincipalByName(name);
            assertThat(isAccepted(other)).as(name).isEqualTo(other.equals(own));
        }
    }

    @Test
    void peer_own_accepted() throws IOException {
        assertThat(isAccepted(Files.getOwner(root))).isTrue();
    }
}
