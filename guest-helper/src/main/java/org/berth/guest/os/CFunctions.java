package org.berth.guest.os;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Functions of the C library that return an error number; for the resident helper only, they are slow to link. */
final class CFunctions {
    private static final Map<String, MethodHandle> LINKED = new ConcurrentHashMap<>();

    private CFunctions() {}

    static boolean has(String name) {
        return Linker.nativeLinker().defaultLookup().find(name).isPresent();
    }

    /** Calls {@code name} with integers and addresses. @throws KernelException when it answers other than 0 */
    static void require(String name, Object... arguments) {
        int error = call(name, arguments);
        if (error != 0) {
            throw new KernelException(name, error);
        }
    }

    static int call(String name, Object... arguments) {
        try {
            return (int) LINKED.computeIfAbsent(name, key -> link(key, arguments.length))
                    .invokeWithArguments(arguments);
        } catch (Throwable t) {
            throw new IllegalStateException("the linker failed", t);
        }
    }

    private static MethodHandle link(String name, int arguments) {
        MemoryLayout[] layouts = new MemoryLayout[arguments];
        Arrays.fill(layouts, ValueLayout.JAVA_LONG);
        Linker linker = Linker.nativeLinker();
        return linker.downcallHandle(
                linker.defaultLookup().findOrThrow(name), FunctionDescriptor.of(ValueLayout.JAVA_INT, layouts));
    }
}
