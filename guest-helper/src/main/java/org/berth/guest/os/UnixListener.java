package org.berth.guest.os;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;

/** A listening Unix socket that tells who connects, which the JDK's base module does not. For a platform thread. */
public final class UnixListener implements AutoCloseable {
    private static final int SOCK_CLOEXEC = 0x80000;
    private static final int BACKLOG = 16;

    private final Handle socket;

    private UnixListener(Handle socket) {
        this.socket = socket;
    }

    /**
     * Listens at {@code path}, mode 0600, in place of a socket that an ended process left there.
     *
     * @throws IOException when the path is too long, or something else is there
     */
    public static UnixListener open(Path path) throws IOException {
        UnixAddress address = UnixAddress.of(path);
        if (Files.exists(path, LinkOption.NOFOLLOW_LINKS)
                && Files.readAttributes(path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS)
                        .isOther()) {
            Files.delete(path);
        }
        Handle socket = address.socket();
        try {
            Kernel.require("bind", address.given(Syscall.BIND, socket));
            Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rw-------"));
            Kernel.require("listen", Kernel.call(Syscall.LISTEN, socket.fd(), BACKLOG, 0));
            return new UnixListener(socket);
        } catch (KernelException e) {
            socket.close();
            throw new IOException(path + ": " + e.getMessage(), e);
        } catch (IOException e) {
            socket.close();
            throw e;
        }
    }

    /** Waits for the next connection. */
    public UnixConnection accept() throws IOException {
        long fd = Kernel.call(Syscall.ACCEPT4, socket.fd(), 0, 0, SOCK_CLOEXEC, 0);
        if (fd < 0) {
            throw new IOException("accept failed with error number " + -fd);
        }
        return new UnixConnection(new Handle((int) fd));
    }

    @Override
    public void close() {
        socket.close();
    }
}
