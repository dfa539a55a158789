package org.berth.process.supervisor.os;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodType;
import java.lang.invoke.VarHandle;
import java.util.Arrays;

/**
 * One function of the C library whose arguments are integers or addresses. Every argument travels as a long: the
 * calling conventions of x86-64 and aarch64 ignore the upper half of a narrower one, and few shapes start faster.
 */
record NativeFunction(MethodHandle handle) {
    private static final Linker LINKER = Linker.nativeLinker();
    private static final StructLayout CAPTURED = Linker.Option.captureStateLayout();
    private static final VarHandle ERRNO = CAPTURED.varHandle(MemoryLayout.PathElement.groupElement("errno"));
    private static final ThreadLocal<MemorySegment> STATE =
            ThreadLocal.withInitial(() -> Arena.ofAuto().allocate(CAPTURED));

    /** A function that returns an int. */
    static NativeFunction ofInt(String name, int arguments) {
        return link(name, ValueLayout.JAVA_INT, arguments, -1);
    }

    /** A function that returns a long or a size. */
    static NativeFunction ofLong(String name, int arguments) {
        return link(name, ValueLayout.JAVA_LONG, arguments, -1);
    }

    /** A variadic function that returns an int, with {@code fixed} named arguments. */
    static NativeFunction variadic(String name, int fixed, int arguments) {
        return link(name, ValueLayout.JAVA_INT, arguments, fixed);
    }

    /** A variadic function that returns a long, with {@code fixed} named arguments. */
    static NativeFunction variadicLong(String name, int fixed, int arguments) {
        return link(name, ValueLayout.JAVA_LONG, arguments, fixed);
    }

    private static NativeFunction link(String name, ValueLayout result, int arguments, int fixed) {
        MemoryLayout[] layouts = new MemoryLayout[arguments];
        Arrays.fill(layouts, ValueLayout.JAVA_LONG);
        FunctionDescriptor descriptor = FunctionDescriptor.of(result, layouts);
        Linker.Option capture = Linker.Option.captureCallState("errno");
        MethodHandle handle = fixed < 0
                ? LINKER.downcallHandle(LINKER.defaultLookup().findOrThrow(name), descriptor, capture)
                : LINKER.downcallHandle(
                        LINKER.defaultLookup().findOrThrow(name),
                        descriptor,
                        capture,
                        Linker.Option.firstVariadicArg(fixed));
        MethodType type = handle.type().changeReturnType(long.class);
        return new NativeFunction(handle.asType(type));
    }

    long call() {
        MemorySegment state = STATE.get();
        try {
            return settle(state, (long) handle.invokeExact(state));
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

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
