package org.berth.guest.os;

import java.io.IOException;
import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.nio.channels.ByteChannel;
import java.nio.channels.ClosedChannelException;
import java.nio.file.Path;

/**
 * A connection at a Unix socket, accepted or dialled. One thread may read while another writes; closing ends both, and the
 * descriptor is given back when neither uses it any more. For platform threads. The JDK's own channel seeds a secure
 * random source and reads a file of properties before its first connection, a fifth of the resident helper's start.
 */
public final class UnixConnection implements ByteChannel {
    private static final int SHUT_RDWR = 2;
    private static final int SOL_SOCKET = 1;
    private static final int SO_PEERCRED = 17;
    private static final int UCRED_BYTES = 12;
    private static final int CHUNK_BYTES = 16_384;

    private final Handle handle;
    private final long peer;
    private final ByteBuffer in = Kernel.memory(CHUNK_BYTES);
    private final ByteBuffer out = Kernel.memory(CHUNK_BYTES);
    private int users = 1;
    private boolean closed;

    UnixConnection(Handle handle) {
        this.handle = handle;
        this.peer = peer(handle.fd());
    }

    /**
     * Dials the socket at {@code path}.
     *
     * @throws IOException when the path is too long or nobody listens
     */
    public static UnixConnection dial(Path path) throws IOException {
        UnixAddress address = UnixAddress.of(path);
        Handle socket = address.socket();
        try {
            Kernel.require("connect", address.given(Syscall.CONNECT, socket));
            return new UnixConnection(socket);
        } catch (KernelException e) {
            socket.close();
            throw new IOException(path + ": " + e.getMessage(), e);
        }
    }

    /** The process number of the other side; 0 when it is not seen from here. */
    public long peer() {
        return peer;
    }

    /** The peer's process number; 0 when it is in no namespace that is seen from here. */
    private static long peer(int fd) {
        ByteBuffer credentials = Kernel.memory(UCRED_BYTES);
        ByteBuffer length = Kernel.memory(Integer.BYTES).putInt(0, UCRED_BYTES);
        try {
            Kernel.require(
                    "getsockopt",
                    Kernel.call(
                            Syscall.GETSOCKOPT,
                            fd,
                            SOL_SOCKET,
                            SO_PEERCRED,
                            Kernel.address(credentials),
                            Kernel.address(length)));
        } finally {
            Reference.reachabilityFence(credentials);
            Reference.reachabilityFence(length);
        }
        return credentials.getInt(0);
    }

    @Override
    public int read(ByteBuffer into) throws ClosedChannelException {
        enter();
        try {
            int read = handle.read(in.clear().limit(Math.min(into.remaining(), CHUNK_BYTES)));
            into.put(in.flip());
            return read == 0 && into.hasRemaining() ? -1 : read;
        } catch (KernelException e) {
            return -1;
        } finally {
            leave();
        }
    }

    @Override
    public int write(ByteBuffer from) throws ClosedChannelException {
        enter();
        try {
            int length = Math.min(from.remaining(), CHUNK_BYTES);
            out.clear().put(from.slice().limit(length));
            handle.writeAll(out.flip());
            from.position(from.position() + length);
            return length;
        } catch (KernelException e) {
            throw new ClosedChannelException();
        } finally {
            leave();
        }
    }

    private synchronized void enter() throws ClosedChannelException {
        if (closed) {
            throw new ClosedChannelException();
        }
        users++;
    }

    private synchronized void leave() {
        if (--users == 0) {
            handle.close();
        }
    }

    @Override
    public synchronized boolean isOpen() {
        return !closed;
    }

    @Override
    public synchronized void close() {
        if (!closed) {
            closed = true;
            Kernel.call(Syscall.SHUTDOWN, handle.fd(), SHUT_RDWR, 0);
            leave();
        }
    }
}
