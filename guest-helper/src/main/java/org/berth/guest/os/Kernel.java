package org.berth.guest.os;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/**
 * System calls by number, through the one C function {@code syscall}: a second shape of native function would cost the
 * one-shot form a third of its start. Memory is passed as direct buffers. Safe for any thread; a call that blocks needs a
 * platform thread.
 */
public final class Kernel {
    private static final MethodHandle SYSCALL = Linker.nativeLinker()
            .downcallHandle(
                    Linker.nativeLinker().defaultLookup().findOrThrow("syscall"),
                    FunctionDescriptor.of(
                            ValueLayout.JAVA_LONG,
                            ValueLayout.JAVA_LONG,
                            ValueLayout.JAVA_LONG,
                            ValueLayout.JAVA_LONG,
                            ValueLayout.JAVA_LONG,
                            ValueLayout.JAVA_LONG,
                            ValueLayout.JAVA_LONG,
                            ValueLayout.JAVA_LONG),
                    Linker.Option.captureCallState("errno"));

    private static final ThreadLocal<ByteBuffer> ERRNO = ThreadLocal.withInitial(
            () -> memory((int) Linker.Option.captureStateLayout().byteSize()));

    private Kernel() {}

    /** Memory for the kernel, in the machine's byte order. */
    public static ByteBuffer memory(int bytes) {
        return ByteBuffer.allocateDirect(bytes).order(ByteOrder.nativeOrder());
    }

    /** {@code text} as the kernel takes it: UTF-8, ended by a zero. */
    public static ByteBuffer text(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        ByteBuffer memory = memory(bytes.length + 1);
        memory.put(bytes).put((byte) 0);
        return memory.clear();
    }

    /** The address of the first byte; it holds while {@code memory} is reachable. */
    public static long address(ByteBuffer memory) {
        return MemorySegment.ofBuffer(memory.duplicate().clear()).address();
    }

    /** @return the call's result, or the negative error number */
    public static long call(Syscall number, long a, long b, long c, long d, long e) {
        ByteBuffer errno = ERRNO.get();
        try {
            long result = (long)
                    SYSCALL.invokeExact(MemorySegment.ofBuffer(errno), (long) number.number(), a, b, c, d, e, 0L);
            return result == -1 ? -errno.getInt(0) : result;
        } catch (Throwable t) {
            throw new IllegalStateException("the linker failed", t);
        }
    }

    /** A call of three arguments. */
    public static long call(Syscall number, long a, long b, long c) {
        return call(number, a, b, c, 0, 0);
    }

    /** A call whose first argument is memory. */
    public static long call(Syscall number, ByteBuffer memory) {
        try {
            return call(number, address(memory), 0, 0);
        } finally {
            Reference.reachabilityFence(memory);
        }
    }

    /** A call whose second argument is memory. */
    public static long call(Syscall number, long a, ByteBuffer memory, long c, long d) {
        try {
            return call(number, a, address(memory), c, d, 0);
        } finally {
            Reference.reachabilityFence(memory);
        }
    }

    /** A call whose third argument is memory. */
    public static long call(Syscall number, long a, long b, ByteBuffer memory, long d) {
        try {
            return call(number, a, b, address(memory), d, 0);
        } finally {
            Reference.reachabilityFence(memory);
        }
    }

    /** The result of a call whose failure nothing was foreseen for. @throws KernelException */
    public static long require(String name, long result) {
        if (result < 0) {
            throw new KernelException(name, (int) -result);
        }
        return result;
    }
}
