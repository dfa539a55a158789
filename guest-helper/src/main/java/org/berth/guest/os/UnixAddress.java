package org.berth.guest.os;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/**
 * The address of a Unix socket as the kernel takes it.
 *
 * @param bytes of the address that count
 */
record UnixAddress(ByteBuffer memory, int bytes) {
    /** Bytes of a socket's path, its ending zero not counted. Source: unix(7). */
    private static final int MAX_PATH_BYTES = 107;

    private static final int AF_UNIX = 1;
    private static final int SOCK_STREAM_CLOEXEC = 1 | 0x80000;

    /** @throws IOException when the path is too long */
    static UnixAddress of(Path path) throws IOException {
        byte[] text = path.toString().getBytes(StandardCharsets.UTF_8);
        if (text.length > MAX_PATH_BYTES) {
            throw new IOException("a socket's path has at most " + MAX_PATH_BYTES + " bytes: " + path);
        }
        ByteBuffer memory = Kernel.memory(Short.BYTES + MAX_PATH_BYTES + 1);
        memory.putShort((short) AF_UNIX).put(text);
        return new UnixAddress(memory, Short.BYTES + text.length + 1);
    }

    /** A new stream socket of this family. @throws KernelException */
    Handle socket() {
        return new Handle((int) Kernel.require("socket", Kernel.call(Syscall.SOCKET, AF_UNIX, SOCK_STREAM_CLOEXEC, 0)));
    }

    /** Gives {@code socket} this address by bind or connect. @return the call's result */
    long given(Syscall call, Handle socket) {
        return Kernel.call(call, socket.fd(), memory, bytes, 0);
    }
}
