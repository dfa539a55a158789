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
import org.berth.placement.Capability;
import org.berth.placement.SpawnOrder;
import org.berth.placement.SpawnOutcome.Reason;
import org.berth.process.supervisor.os.Descriptors;
import org.berth.process.supervisor.os.PidFd;
import org.berth.process.supervisor.os.PosixSpawn;
import org.berth.process.supervisor.os.ProcStat;
import org.berth.process.supervisor.os.ProcTable;

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
    private static final int GATE_FD = 3;

    /**
     * The namespace's first process waits for a line on {@link #GATE_FD} and then becomes the command: else a short one
     * is over before it is seen. Without the line, when the supervisor ends, it runs nothing.
     */
    private static final List<String> GATE =
            List.of("/bin/sh", "-c", "read -r line <&" + GATE_FD + " && exec " + GATE_FD + "<&- && exec \"$0\" \"$@\"");

    /** How long the namespace's init may take to start the command, in nanoseconds. */
    static final long INNER_WAIT = 2_000_000_000L;

    /** How long of that is spent without sleeping, since a short command ends within it. */
    static final long INNER_SPIN = 20_000_000L;

    private static final List<String> UNSHARE_PLACES =
            List.of("/usr/local/bin/unshare", "/usr/bin/unshare", "/bin/unshare");

    private final String program = first(PLACES);
    private final String unshare = first(UNSHARE_PLACES);

    private static String first(List<String> places) {
        return places.stream()
                .filter(place -> Files.isExecutable(Path.of(place)))
                .findFirst()
                .orElse(null);
    }

    /** The path of bubblewrap; null when the host has none. */
    String program() {
        return program;
    }

    /** Refuses what this host has no program for, or what could not be identified. */
    void requirePossible(SpawnOrder order) throws RefusedException {
        SpawnOrder.Enclosure enclosure = order.enclosure();
        if (order.scope() != Capability.CONTAINED_TREE) {
            if (enclosure != null) {
                throw new RefusedException(Reason.SYSTEM, "an enclosure needs the scope of a contained tree");
            }
            return;
        }
        boolean unshared = unshared(order);
        if (unshared ? unshare == null : program == null) {
            throw new RefusedException(
                    Reason.CONTAINMENT_UNAVAILABLE,
                    "this host has no " + (unshared ? "unshare" : "bubblewrap (bwrap)") + ", which containment needs");
        }
        if (enclosure == null) {
            return;
        }
        if (!enclosure.entry().startsWith("/")) {
            throw new RefusedException(Reason.SYSTEM, "an enclosed command is named by an absolute path");
        }
        if (unshared ? !enclosure.arguments().contains("--fork") : !makesPidNamespace(enclosure.arguments())) {
            throw new RefusedException(Reason.SYSTEM, "an enclosure makes a PID namespace");
        }
    }

    private static boolean makesPidNamespace(List<String> arguments) {
        return arguments.contains("--unshare-pid") || arguments.contains("--unshare-all");
    }

    private static boolean unshared(SpawnOrder order) {
        return order.enclosure() != null && order.enclosure().kind() == SpawnOrder.Enclosure.Kind.UNSHARE;
    }

    /** Whether the command that {@code outer} encloses is its namespace's first process itself. */
    public static boolean commandIsInit(long outer) {
        Path program = ProcTable.program(outer);
        return program != null && program.endsWith("unshare");
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
        return unshared(order) ? startUnshared(order, environment, ends) : startBubble(order, environment, ends);
    }

    private Box startBubble(SpawnOrder order, List<String> environment, Ends ends) throws RefusedException {
        int[] info = Descriptors.pipe();
        int[] block = Descriptors.pipe();
        int high = Math.max(info[1], block[0]) + 1;
        List<String> arguments = new ArrayList<>(List.of(program));
        arguments.addAll(
                order.enclosure() == null
                        ? List.of(
                                "--unshare-pid",
                                "--dev-bind",
                                "/",
                                "/",
                                "--proc",
                                "/proc",
                                "--chdir",
                                order.workingDirectory())
                        : order.enclosure().arguments());
        arguments.addAll(List.of("--info-fd", Integer.toString(INFO_FD), "--block-fd", Integer.toString(BLOCK_FD)));
        addCommand(arguments, order);
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
            Descriptors.close(block[1]);
            throw end(outer);
        }
        return new Box(pid, outer, init, initPidFd, block[1], stat.startTicks());
    }

    /** The command is the namespace's first process. */
    private Box startUnshared(SpawnOrder order, List<String> environment, Ends ends) throws RefusedException {
        int[] gate = Descriptors.pipe();
        List<String> arguments = new ArrayList<>(List.of(unshare));
        arguments.addAll(order.enclosure().arguments());
        arguments.add("--");
        arguments.addAll(GATE);
        arguments.add(order.enclosure().entry());
        arguments.addAll(order.argv());
        long pid;
        try (PosixSpawn spawn = new PosixSpawn(order.terminal() != null)) {
            ends.giveTo(spawn);
            int high = Math.max(gate[0], GATE_FD) + 1;
            spawn.descriptor(gate[0], high).descriptor(high, GATE_FD);
            pid = spawn.directory(order.workingDirectory())
                    .closeFrom(GATE_FD + 1)
                    .start(unshare, arguments, environment);
        }
        Descriptors.close(gate[0]);
        if (pid < 0) {
            Descriptors.close(gate[1]);
            throw new RefusedException(Reason.CONTAINMENT_UNAVAILABLE, "unshare could not be started");
        }
        int outer = PidFd.open(pid);
        ProcStat init = awaitFirstChild(pid, outer);
        int initPidFd = init == null ? -1 : PidFd.open(init.pid());
        if (initPidFd < 0) {
            Descriptors.close(gate[1]);
            throw end(outer);
        }
        return new Box(pid, outer, init, initPidFd, gate[1]);
    }

    private static void addCommand(List<String> arguments, SpawnOrder order) {
        arguments.add("--");
        arguments.add(
                order.enclosure() == null
                        ? order.executable()
                        : order.enclosure().entry());
        arguments.addAll(order.argv());
    }

    private static RefusedException end(int outer) {
        PidFd.signal(outer, PidFd.SIGKILL);
        Launcher.reap(outer);
        Descriptors.close(outer);
        return new RefusedException(Reason.CONTAINMENT_UNAVAILABLE, "this host lets no namespace be made");
    }

    /** @return null when {@code parent} ended without one */
    private static ProcStat awaitFirstChild(long parent, int parentPidFd) {
        long start = System.nanoTime();
        while (System.nanoTime() - start < INNER_WAIT) {
            ProcStat child = firstChild(parent);
            if (child != null && ProcTable.leadsNamespace(child.pid())) {
                return child;
            }
            if (PidFd.childExit(parentPidFd, false) != null) {
                return null;
            }
            if (System.nanoTime() - start > INNER_SPIN) {
                LockSupport.parkNanos(1_000_000);
            }
        }
        return null;
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
