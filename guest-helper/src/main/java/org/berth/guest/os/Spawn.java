package org.berth.guest.os;

import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Starts one program as the leader of a session with a terminal of its own. Source: posix_spawn(3), glibc. */
public final class Spawn {
    /** Bytes of posix_spawnattr_t, posix_spawn_file_actions_t and sigset_t in glibc. */
    private static final int ATTRIBUTES_BYTES = 336;

    private static final int ACTIONS_BYTES = 80;
    private static final int SIGSET_BYTES = 128;
    private static final int SETSIGDEF = 4;
    private static final int SETSIGMASK = 8;
    private static final int SETSID = 0x80;
    /** The descriptor under which the child keeps a file of ours. */
    private static final int KEPT = 3;

    private static final String CLOSE_FROM = "posix_spawn_file_actions_addclosefrom_np";
    private static final int F_SETFD = 2;
    private static final int FD_CLOEXEC = 1;

    private final List<ByteBuffer> memory = new ArrayList<>();

    private Spawn() {}

    /**
     * Makes {@code directory} the working directory of this process and of the child.
     *
     * @param terminal path of the terminal that becomes the child's descriptors 0 to 2 and controls its session
     * @param kept a file that the child keeps open as descriptor 3
     * @param arguments the program's name first
     * @return the child's process number
     * @throws KernelException with the error number of what failed, exec included
     */
    public static int start(
            String program,
            List<String> arguments,
            Map<String, String> environment,
            String directory,
            String terminal,
            Handle kept) {
        return new Spawn().run(program, arguments, environment, directory, terminal, kept);
    }

    private int run(
            String program,
            List<String> arguments,
            Map<String, String> environment,
            String directory,
            String terminal,
            Handle kept) {
        long attributes = zeroed(ATTRIBUTES_BYTES);
        long actions = zeroed(ACTIONS_BYTES);
        ByteBuffer all = allocate(SIGSET_BYTES);
        while (all.hasRemaining()) {
            all.put((byte) 0xff);
        }
        List<String> items = new ArrayList<>();
        environment.forEach((name, value) -> items.add(name + "=" + value));
        ByteBuffer pid = allocate(Integer.BYTES);
        CFunctions.require("posix_spawnattr_init", attributes);
        CFunctions.require("posix_spawn_file_actions_init", actions);
        try {
            CFunctions.require("posix_spawnattr_setflags", attributes, (long) (SETSID | SETSIGDEF | SETSIGMASK));
            CFunctions.require("posix_spawnattr_setsigdefault", attributes, Kernel.address(all));
            CFunctions.require("posix_spawnattr_setsigmask", attributes, zeroed(SIGSET_BYTES));
            CFunctions.require(
                    "posix_spawn_file_actions_addopen", actions, 0L, text(terminal), (long) Handle.O_RDWR, 0L);
            CFunctions.require("posix_spawn_file_actions_adddup2", actions, 0L, 1L);
            CFunctions.require("posix_spawn_file_actions_adddup2", actions, 0L, 2L);
            CFunctions.require("posix_spawn_file_actions_adddup2", actions, (long) kept.fd(), (long) KEPT);
            if (!CFunctions.has(CLOSE_FROM)) {
                closeAtExec();
            } else {
                CFunctions.require(CLOSE_FROM, actions, KEPT + 1L);
            }
            Kernel.require("chdir", Kernel.call(Syscall.CHDIR, Kernel.text(directory)));
            CFunctions.require(
                    "posix_spawn",
                    Kernel.address(pid),
                    text(program),
                    actions,
                    attributes,
                    vector(arguments),
                    vector(items));
            return pid.getInt(0);
        } finally {
            CFunctions.call("posix_spawn_file_actions_destroy", actions);
            CFunctions.call("posix_spawnattr_destroy", attributes);
            Reference.reachabilityFence(memory);
        }
    }

    /** For a C library before 2.34: nothing that is open now stays open in the child. */
    private static void closeAtExec() {
        String[] names = Path.of("/proc/self/fd").toFile().list();
        for (String name : names == null ? new String[0] : names) {
            int fd = Integer.parseInt(name);
            if (fd > KEPT) {
                Kernel.call(Syscall.FCNTL, fd, F_SETFD, FD_CLOEXEC);
            }
        }
    }

    private ByteBuffer allocate(int bytes) {
        ByteBuffer buffer = Kernel.memory(bytes);
        memory.add(buffer);
        return buffer;
    }

    private long zeroed(int bytes) {
        return Kernel.address(allocate(bytes));
    }

    private long text(String text) {
        ByteBuffer buffer = Kernel.text(text);
        memory.add(buffer);
        return Kernel.address(buffer);
    }

    private long vector(List<String> items) {
        ByteBuffer vector = allocate((items.size() + 1) * Long.BYTES);
        for (String item : items) {
            vector.putLong(text(item));
        }
        return Kernel.address(vector);
    }
}
