package org.berth.harness.tree;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** Memory of one thread for what a call takes and gives: two names and a status. Never held over a call. */
final class Scratch {
    /** Bytes of a path with its end. Source: linux/limits.h, PATH_MAX. */
    static final int NAME_BYTES = 4096;

    private static final ThreadLocal<Scratch> OF_THREAD = ThreadLocal.withInitial(Scratch::new);

    private final MemorySegment memory = Arena.ofAuto().allocate(3L * NAME_BYTES, 16);

    static Scratch get() {
        return OF_THREAD.get();
    }

    /** The address of {@code name} with its ending zero. */
    long name(String name) throws OsException {
        return put(name, 0);
    }

    /** The address of a second name, beside {@link #name}. */
    long second(String name) throws OsException {
        return put(name, NAME_BYTES);
    }

    private long put(String name, int at) throws OsException {
        byte[] bytes = Names.encode(name);
        if (bytes.length >= NAME_BYTES) {
            throw new OsException("name", name.substring(0, 64) + "…", OsException.ENAMETOOLONG);
        }
        if (name.indexOf('\0') >= 0) {
            throw new OsException("name", name.replace('\0', '?'), OsException.EINVAL);
        }
        MemorySegment.copy(bytes, 0, memory, ValueLayout.JAVA_BYTE, at, bytes.length);
        memory.set(ValueLayout.JAVA_BYTE, at + bytes.length, (byte) 0);
        return memory.address() + at;
    }

    /** The part that a call fills. */
    MemorySegment result() {
        return memory.asSlice(2L * NAME_BYTES, NAME_BYTES);
    }
}
