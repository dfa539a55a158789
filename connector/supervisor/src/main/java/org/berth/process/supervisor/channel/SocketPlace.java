package org.berth.process.supervisor.channel;

import java.io.IOException;
import java.net.ConnectException;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.Set;
import org.berth.problem.BerthException;
import org.berth.process.supervisor.os.Descriptors;
import org.berth.process.supervisor.os.OsException;
import org.berth.process.supervisor.os.OwnProcess;
import org.berth.process.supervisor.os.UnixSocket;

/**
 * One opened private directory in which sockets are made. Every name is taken relative to the descriptor, so that
 * neither a long path nor a directory that was exchanged later matters.
 */
final class SocketPlace implements AutoCloseable {
    private static final int GROUP_OR_OTHER_WRITE = 022;
    private static final Set<java.nio.file.attribute.PosixFilePermission> SOCKET_MODE =
            PosixFilePermissions.fromString("rw-------");

    private final Path directory;
    private final int fd;

    private SocketPlace(Path directory, int fd) {
        this.directory = directory;
        this.fd = fd;
    }

    /** @throws BerthException INVALID when it is no private directory of this user; a link is none */
    static SocketPlace open(String directory) {
        int fd = Descriptors.openDirectory(directory);
        if (fd < 0) {
            throw BerthException.invalid(directory + " is not a directory that can be opened, error number " + -fd);
        }
        SocketPlace place = new SocketPlace(Path.of(directory), fd);
        try {
            Map<String, Object> found = Files.readAttributes(place.at("."), "unix:uid,mode");
            long owner = Integer.toUnsignedLong((int) found.get("uid"));
            if (owner != OwnProcess.uid() || ((int) found.get("mode") & GROUP_OR_OTHER_WRITE) != 0) {
                throw BerthException.invalid(directory + " is not this user's, or others may write in it");
            }
            return place;
        } catch (IOException e) {
            place.close();
            throw BerthException.invalid(directory + " cannot be looked at: " + e.getMessage());
        } catch (BerthException e) {
            place.close();
            throw e;
        }
    }

    /** A name in the directory, as this process reaches it. */
    private Path at(String name) {
        return Path.of("/proc/self/fd/" + fd, name);
    }

    /** The address of a socket in the directory, for this process only. */
    UnixDomainSocketAddress address(String name) {
        return UnixDomainSocketAddress.of(at(name));
    }

    /** The path that others use. */
    String path(String name) {
        return directory.resolve(name).toString();
    }

    /** Listens at {@code name}, not blocking, mode 0600. @return its descriptor */
    int listen(String name) throws IOException {
        clear(name);
        try {
            int listener = UnixSocket.listen(at(name).toString());
            Files.setPosixFilePermissions(at(name), SOCKET_MODE);
            return listener;
        } catch (OsException e) {
            throw new IOException(path(name) + ": " + e.getMessage(), e);
        }
    }

    /**
     * Removes a socket on which nobody listens any more.
     *
     * @throws BerthException CONFLICT when somebody listens, or when it is no socket
     */
    void clear(String name) throws IOException {
        Path path = at(name);
        try {
            Map<String, Object> found = Files.readAttributes(path, "unix:mode", LinkOption.NOFOLLOW_LINKS);
            if (((int) found.get("mode") & 0170000) != 0140000) {
                throw BerthException.conflict(path(name) + " exists and is no socket");
            }
        } catch (NoSuchFileException e) {
            return;
        }
        try {
            SocketChannel.open(address(name)).close();
        } catch (ConnectException e) {
            Files.delete(path);
            return;
        }
        throw BerthException.conflict("somebody listens on " + path(name) + " already");
    }

    void remove(String name) throws IOException {
        Files.deleteIfExists(at(name));
    }

    @Override
    public void close() {
        Descriptors.close(fd);
    }
}
