package org.berth.process.supervisor.os;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;

/** Calls on stream sockets of the local machine. */
public final class UnixSocket {
    /** Bytes of a socket's path, its ending zero not counted. Source: unix(7), sun_path. */
    public static final int MAX_PATH_BYTES = 107;

    private static final int AF_UNIX = 1;
    private static final int SOCK_STREAM = 1;
    private static final int SOL_SOCKET = 1;
    private static final int SO_PEERCRED = 17;
    private static final int BACKLOG = 128;
    private static final int UCRED_BYTES = 12;

    private static final NativeFunction SOCKET = NativeFunction.ofInt("socket", 3);
    private static final NativeFunction BIND = NativeFunction.ofInt("bind", 3);
    private static final NativeFunction LISTEN = NativeFunction.ofInt("listen", 2);
    private static final NativeFunction ACCEPT = NativeFunction.ofInt("accept4", 4);
    private static final NativeFunction GETSOCKOPT = NativeFunction.ofInt("getsockopt", 5);

    private UnixSocket() {}

    /** A socket that listens at {@code path}, where no file is; not blocking. The caller's umask makes its mode. */
    public static int listen(String path) {
        byte[] bytes = path.getBytes(StandardCharsets.UTF_8);
        if (bytes.length > MAX_PATH_BYTES) {
            throw new IllegalArgumentException("a socket's path has at most " + MAX_PATH_BYTES + " bytes: " + path);
        }
        int type = SOCK_STREAM | Descriptors.O_CLOEXEC | Descriptors.O_NONBLOCK;
        int fd = (int) Errno.require("socket", SOCKET.call(AF_UNIX, type, 0));
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment address = arena.allocate(110, 2);
            address.set(ValueLayout.JAVA_SHORT, 0, (short) AF_UNIX);
            MemorySegment.copy(bytes, 0, address, ValueLayout.JAVA_BYTE, 2, bytes.length);
            Errno.require("bind", BIND.call(fd, address.address(), 3L + bytes.length));
            Errno.require("listen", LISTEN.call(fd, BACKLOG));
            return fd;
        } catch (RuntimeException e) {
            Descriptors.close(fd);
            throw e;
        }
    }

    /** @return the next peer's descriptor, not blocking, or the negative error number */
    public static int accept(int listener) {
        return (int) ACCEPT.call(listener, 0, 0, Descriptors.O_CLOEXEC | Descriptors.O_NONBLOCK);
    }

    /** Whose process is at the other end; {@code pid} is 0 where it is not to be seen from here. */
    public record Peer(long pid, long uid) {
        /** Whether it runs as that user: no other may say a word. Source: harness.md, Local access (peer_same_uid). */
        public boolean isOf(long user) {
            return uid == user;
        }
    }

    /** Who connected, or who listened, by the kernel's word. */
    public static Peer peer(int fd) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment credentials = arena.allocate(UCRED_BYTES, 4);
            MemorySegment length = arena.allocate(ValueLayout.JAVA_INT);
            length.set(ValueLayout.JAVA_INT, 0, UCRED_BYTES);
            Errno.require(
                    "getsockopt",
                    GETSOCKOPT.call(fd, SOL_SOCKET, SO_PEERCRED, credentials.address(), length.address()));
            return new Peer(
                    credentials.get(ValueLayout.JAVA_INT, 0),
                    Integer.toUnsignedLong(credentials.get(ValueLayout.JAVA_INT, 4)));
        }
    }
}
