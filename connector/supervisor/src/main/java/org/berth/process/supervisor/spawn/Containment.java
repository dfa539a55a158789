package org.berth.process.supervisor.spawn;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.berth.placement.ProcessIdentity;
import org.berth.placement.SpawnOrder;
import org.berth.placement.SpawnOutcome.Reason;
import org.berth.process.supervisor.os.Descriptors;
import org.berth.process.supervisor.os.PidFd;
import org.berth.process.supervisor.os.PosixSpawn;
import org.berth.process.supervisor.os.ProcStat;

/**
 * Runs a command in a PID namespace of its own through bubblewrap. The outer process waits for the command; the
 * namespace's init ends everything inside when it is killed.
 */
public final class Containment {
    private static final List<String> PLACES = List.of("/usr/local/bin/bwrap", "/usr/bin/bwrap", "/bin/bwrap");
    private static final Pattern CHILD_PID = Pattern.compile("\"child-pid\"\\s*:\\s*(\\d+)");
    private static final int INFO_FD = 3;
    private static final int BLOCK_FD = 4;
    private static final int MAX_INFO_BYTES = 4096;

    /** How long the namespace's init may take to start the command, in nanoseconds. */
    private static final long INNER_WAIT = 2_000_000_000L;

    /** How long of that is spent without sleeping, since a short command ends within it. */
    private static final long INNER_SPIN = 20_000_000L;

    private final String program = PLACES.stream()
            .filter(place -> Files.isExecutable(Path.of(place)))
            .findFirst()
            .orElse(null);

    /** The path of bubblewrap; null when the host has none. */
    String program() {
        return program;
    }

    /** A namespace whose command waits for {@link #release}. */
    static final class Box {
        private final long outerPid;
        private final int outerPidFd;
        private final long initPid;
        private final int initPidFd;
        private final int block;
        private final long initStartTicks;
        private ProcStat inner;
        private int innerPidFd = -1;

        private Box(long outerPid, int outerPidFd, long initPid, int initPidFd, int block, long initStartTicks) {
            this.outerPid = outerPid;
            this.outerPidFd = outerPidFd;
            this.initPid = initPid;
            this.initPidFd = initPidFd;
            this.block = block;
            this.initStartTicks = initStartTicks;
        }

        long outerPid() {
            return outerPid;
        }

        int outerPidFd() {
            return outerPidFd;
        }

        int initPidFd() {
            return initPidFd;
        }

        int innerPidFd() {
            return innerPidFd;
        }

        /** Zeros for the inner command when it ended before it was seen. */
        ProcessIdentity.Tree tree() {
            return new ProcessIdentity.Tree(
                    initPid, initStartTicks, inner == null ? 0 : inner.pid(), inner == null ? 0 : inner.startTicks());
        }

        /** Lets the command run, and finds it. */
        void release() {
            Descriptors.close(block);
            long start = System.nanoTime();
            while (inner == null && System.nanoTime() - start < INNER_WAIT) {
                ProcStat init = ProcStat.of(initPid);
                if (init == null || !init.live() || init.startTicks() != initStartTicks) {
                    return;
                }
                inner = firstChild(initPid);
                if (inner == null && PidFd.childExit(outerPidFd, false) != null) {
                    return;
                }
                if (inner == null && System.nanoTime() - start > INNER_SPIN) {
                    LockSupport.parkNanos(1_000_000);
                }
            }
            if (inner != null) {
                innerPidFd = PidFd.open(inner.pid());
            }
            if (innerPidFd < 0) {
                innerPidFd = -1;
                inner = null;
            }
        }
    }

    /** The only child that the namespace's init starts itself. */
    static ProcStat firstChild(long pid) {
        try {
            String children = Files.readString(Path.of("/proc/" + pid + "/task/" + pid + "/children"));
            int blank = children.indexOf(' ');
            return blank <= 0 ? null : ProcStat.of(Long.parseLong(children.substring(0, blank)));
        } catch (IOException e) {
            return null;
        }
    }

    Box start(SpawnOrder order, List<String> environment, Ends ends) throws RefusedException {
        int[] info = Descriptors.pipe();
        int[] block = Descriptors.pipe();
        int high = Math.max(info[1], block[0]) + 1;
        List<String> arguments = new ArrayList<>(List.of(
                program,
                "--unshare-pid",
                "--dev-bind",
                "/",
                "/",
                "--proc",
                "/proc",
                "--chdir",
                order.workingDirectory(),
                "--info-fd",
                Integer.toString(INFO_FD),
                "--block-fd",
                Integer.toString(BLOCK_FD),
                "--",
                order.executable()));
        arguments.addAll(order.argv());
        long pid;
        try (PosixSpawn spawn = new PosixSpawn(order.terminal() != null)) {
            ends.giveTo(spawn);
            spawn.descriptor(info[1], high).descriptor(block[0], high + 1);
            spawn.descriptor(high, INFO_FD).descriptor(high + 1, BLOCK_FD);
            pid = spawn.directory(order.workingDirectory()).closeFrom(5).start(program, arguments, environment);
        }
        Descriptors.close(info[1]);
        Descriptors.close(block[0]);
        if (pid < 0) {
            Descriptors.close(info[0]);
            Descriptors.close(block[1]);
            throw new RefusedException(Reason.CONTAINMENT_UNAVAILABLE, "bubblewrap could not be started");
        }
        int outer = PidFd.open(pid);
        long init = readInit(info[0]);
        Descriptors.close(info[0]);
        ProcStat stat = init > 0 ? ProcStat.of(init) : null;
        int initPidFd = stat == null ? -1 : PidFd.open(init);
        if (initPidFd < 0) {
            PidFd.signal(outer, PidFd.SIGKILL);
            Launcher.reap(outer);
            Descriptors.close(outer);
            Descriptors.close(block[1]);
            throw new RefusedException(Reason.CONTAINMENT_UNAVAILABLE, "this host lets no namespace be made");
        }
        return new Box(pid, outer, init, initPidFd, block[1], stat.startTicks());
    }

    /** Reads all that bubblewrap tells (it would die of a pipe closed earlier), the namespace's init among it. @return 0 when it ended instead */
    private static long readInit(int fd) {
        StringBuilder told = new StringBuilder();
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment buffer = arena.allocate(MAX_INFO_BYTES);
            while (told.length() < MAX_INFO_BYTES) {
                long count = Descriptors.read(fd, buffer, MAX_INFO_BYTES);
                if (count <= 0) {
                    break;
                }
                byte[] bytes = buffer.asSlice(0, count).toArray(ValueLayout.JAVA_BYTE);
                told.append(new String(bytes, StandardCharsets.US_ASCII));
                Matcher matcher = CHILD_PID.matcher(told);
                if (told.indexOf("}") >= 0 && matcher.find()) {
                    return Long.parseLong(matcher.group(1));
                }
            }
        }
        return 0;
    }
}
