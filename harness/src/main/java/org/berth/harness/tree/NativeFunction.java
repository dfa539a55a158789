package org.berth.harness.tree;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;
import java.util.Arrays;

/**
 * One function of the C library with integers and addresses. Every argument travels as a long: the calling conventions
 * of x86-64 and aarch64 ignore the upper half of a narrower one.
 */
record NativeFunction(MethodHandle handle) {
    private static final Linker LINKER = Linker.nativeLinker();
    private static final StructLayout CAPTURED = Linker.Option.captureStateLayout();
    private static final VarHandle ERRNO = CAPTURED.varHandle(MemoryLayout.PathElement.groupElement("errno"));
    private static final ThreadLocal<MemorySegment> STATE =
            ThreadLocal.withInitial(() -> Arena.ofAuto().allocate(CAPTURED));

    /** A function with {@code arguments} arguments, the first {@code fixed} of them named. */
    static NativeFunction of(String name, ValueLayout result, int arguments, int fixed) {
        MemoryLayout[] layouts = new MemoryLayout[arguments];
        Arrays.fill(layouts, ValueLayout.JAVA_LONG);
        FunctionDescriptor descriptor = FunctionDescriptor.of(result, layouts);
        Linker.Option errno = Linker.Option.captureCallState("errno");
        MemorySegment function = LINKER.defaultLookup().findOrThrow(name);
        MethodHandle handle = fixed == arguments
                ? LINKER.downcallHandle(function, descriptor, errno)
                : LINKER.downcallHandle(function, descriptor, errno, Linker.Option.firstVariadicArg(fixed));
        return new NativeFunction(handle.asType(handle.type().changeReturnType(long.class)));
    }

    static NativeFunction ofInt(String name, int arguments) {
        return of(name, ValueLayout.JAVA_INT, arguments, arguments);
    }

    static NativeFunction ofLong(String name, int arguments) {
        return of(name, ValueLayout.JAVA_LONG, arguments, arguments);
    }

    /** @return the result, or the error number below zero */
    long call(long a) {
        MemorySegment state = STATE.get();
        try {
            return settle(state, (long) handle.invokeExact(state, a));
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    long call(long a, long b) {
        MemorySegment state = STATE.get();
        try {
            return settle(state, (long) handle.invokeExact(state, a, b));
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    long call(long a, long b, long c) {
        MemorySegment state = STATE.get();
        try {
            return settle(state, (long) handle.invokeExact(state, a, b, c));
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    long call(long a, long b, long c, long d) {
        MemorySegment state = STATE.get();
        try {
            return settle(state, (long) handle.invokeExact(state, a, b, c, d));
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    long call(long a, long b, long c, long d, long e) {
        MemorySegment state = STATE.get();
        try {
            return settle(state, (long) handle.invokeExact(state, a, b, c, d, e));
        } catch (Throwable t) {
            throw unexpected(t);
        }
    }

    long call(long a, long b, long c, long d, long e, long f) {
        MemorySegment state = STATE.get();
        try {
            return settle(state, (long) handle.invokeExact(state, a, b, c, d, e, f));
        } catch (Throwable t) {
            throw unexpected(t);
        }
    }

    private static long settle(MemorySegment state, long result) {
        return result == -1 ? -(int) ERRNO.get(state, 0L) : result;
    }

    private static IllegalStateException unexpected(Throwable cause) {
        return new IllegalStateException("a call of the C library failed in the linker", cause);
    }
}
