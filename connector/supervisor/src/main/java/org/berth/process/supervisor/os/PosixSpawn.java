package org.berth.process.supervisor.os;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;

/** One posix_spawn: what the child's descriptors, session and directory are. Used by one thread. */
public final class PosixSpawn implements AutoCloseable {
    /** Bytes of posix_spawnattr_t and posix_spawn_file_actions_t in glibc. */
    private static final int ATTRIBUTES_BYTES = 336;

    private static final int ACTIONS_BYTES = 80;
    private static final int SIGSET_BYTES = 128;
    private static final int SETPGROUP = 2;
    private static final int SETSIGDEF = 4;
    private static final int SETSIGMASK = 8;
    private static final int SETSID = 0x80;

    private static final NativeFunction SPAWN = NativeFunction.ofInt("posix_spawn", 6);
    private static final NativeFunction ATTR_INIT = NativeFunction.ofInt("posix_spawnattr_init", 1);
    private static final NativeFunction ATTR_DESTROY = NativeFunction.ofInt("posix_spawnattr_destroy", 1);
    private static final NativeFunction ATTR_FLAGS = NativeFunction.ofInt("posix_spawnattr_setflags", 2);
    private static final NativeFunction ATTR_DEFAULT = NativeFunction.ofInt("posix_spawnattr_setsigdefault", 2);
    private static final NativeFunction ATTR_MASK = NativeFunction.ofInt("posix_spawnattr_setsigmask", 2);
    private static final NativeFunction ACTIONS_INIT = NativeFunction.ofInt("posix_spawn_file_actions_init", 1);
    private static final NativeFunction ACTIONS_DESTROY = NativeFunction.ofInt("posix_spawn_file_actions_destroy", 1);
    private static final NativeFunction ADD_DUP2 = NativeFunction.ofInt("posix_spawn_file_actions_adddup2", 3);
    private static final NativeFunction ADD_OPEN = NativeFunction.ofInt("posix_spawn_file_actions_addopen", 5);
    private static final NativeFunction ADD_CHDIR = NativeFunction.ofInt("posix_spawn_file_actions_addchdir_np", 2);
    private static final NativeFunction ADD_CLOSE_FROM =
            NativeFunction.ofInt("posix_spawn_file_actions_addclosefrom_np", 2);

    private final Arena arena = Arena.ofConfined();
    private final MemorySegment attributes = arena.allocate(ATTRIBUTES_BYTES, 16);
    private final MemorySegment actions = arena.allocate(ACTIONS_BYTES, 16);

    /** @param session the child leads a session of its own instead of only a group */
    public PosixSpawn(boolean session) {
        accept(ATTR_INIT.call(attributes.address()));
        accept(ACTIONS_INIT.call(actions.address()));
        accept(ATTR_FLAGS.call(attributes.address(), (session ? SETSID : SETPGROUP) | SETSIGDEF | SETSIGMASK));
        MemorySegment all = arena.allocate(SIGSET_BYTES, 8);
        all.fill((byte) 0xff);
        accept(ATTR_DEFAULT.call(attributes.address(), all.address()));
        accept(ATTR_MASK.call(
                attributes.address(), arena.allocate(SIGSET_BYTES, 8).address()));
    }

    /** The child's {@code to} is our {@code from}. */
    public PosixSpawn descriptor(int from, int to) {
        accept(ADD_DUP2.call(actions.address(), from, to));
        return this;
    }

    /** The child opens {@code path} for reading and writing as {@code to}. */
    public PosixSpawn open(int to, String path) {
        accept(ADD_OPEN.call(
                actions.address(), to, Descriptors.text(arena, path).address(), Descriptors.O_RDWR, 0));
        return this;
    }

    public PosixSpawn directory(String path) {
        accept(ADD_CHDIR.call(actions.address(), Descriptors.text(arena, path).address()));
        return this;
    }

    /** The child has no descriptor of {@code first} or more. */
    public PosixSpawn closeFrom(int first) {
        accept(ADD_CLOSE_FROM.call(actions.address(), first));
        return this;
    }

    /**
     * Starts the child.
     *
     * @param arguments the program's name first
     * @param environment items {@code NAME=value}
     * @return the child's number, or the negative error number of what failed, exec included
     */
    public long start(String path, List<String> arguments, List<String> environment) {
        MemorySegment pid = arena.allocate(ValueLayout.JAVA_INT);
        long error = SPAWN.call(
                pid.address(),
                Descriptors.text(arena, path).address(),
                actions.address(),
                attributes.address(),
                vector(arguments).address(),
                vector(environment).address());
        return error != 0 ? -Math.abs(error) : pid.get(ValueLayout.JAVA_INT, 0);
    }

    private MemorySegment vector(List<String> items) {
        MemorySegment vector = arena.allocate(ValueLayout.JAVA_LONG, items.size() + 1L);
        for (int i = 0; i < items.size(); i++) {
            vector.setAtIndex(
                    ValueLayout.JAVA_LONG,
                    i,
                    Descriptors.text(arena, items.get(i)).address());
        }
        return vector;
    }

    private static void accept(long error) {
        if (error != 0) {
            throw new OsException("posix_spawn's preparation", (int) Math.abs(error));
        }
    }

    @Override
    public void close() {
        ACTIONS_DESTROY.call(actions.address());
        ATTR_DESTROY.call(attributes.address());
        arena.close();
    }
}
