package org.berth.environment.service;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Path;

/** A rename that never replaces, which Java's own files cannot do. Source: renameat2(2). */
final class NoReplaceRename {
    /** Source: linux/fcntl.h, AT_FDCWD. */
    private static final int WORKING_DIRECTORY = -100;

    /** Source: linux/fs.h, RENAME_NOREPLACE. */
    private static final int NO_REPLACE = 1;

    /** Source: asm-generic/errno-base.h, EEXIST. */
    private static final int EXISTS = 17;

    private static final StructLayout STATE = Linker.Option.captureStateLayout();
    private static final VarHandle ERRNO = STATE.varHandle(MemoryLayout.PathElement.groupElement("errno"));
    private static final MethodHandle RENAME = handle();

    private NoReplaceRename() {}

    /** @throws FileAlreadyExistsException when {@code target} has the name; IOException with the errno otherwise */
    static void rename(Path source, Path target) throws IOException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment state = arena.allocate(STATE);
            int result = (int) RENAME.invokeExact(
                    state,
                    WORKING_DIRECTORY,
                    arena.allocateFrom(source.toString()),
                    WORKING_DIRECTORY,
                    arena.allocateFrom(target.toString()),
                    NO_REPLACE);
            if (result == 0) {
                return;
            }
            int errno = (int) ERRNO.get(state, 0L);
            if (errno == EXISTS) {
                throw new FileAlreadyExistsException(target.toString());
            }
            throw new IOException("renameat2 fails with errno " + errno);
        } catch (IOException | RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }

    @SuppressWarnings("restricted")
    private static MethodHandle handle() {
        Linker linker = Linker.nativeLinker();
        return linker.downcallHandle(
                linker.defaultLookup().findOrThrow("renameat2"),
                FunctionDescriptor.of(
                        ValueLayout.JAVA_INT,
                        ValueLayout.JAVA_INT,
                        ValueLayout.ADDRESS,
                        ValueLayout.JAVA_INT,
                        ValueLayout.ADDRESS,
                        ValueLayout.JAVA_INT),
                Linker.Option.captureCallState("errno"));
    }
}
