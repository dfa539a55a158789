package org.berth.process.supervisor.spawn;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.berth.placement.Capability;
import org.berth.placement.ExitObservation;
import org.berth.placement.HostMeasurement;
import org.berth.placement.SpawnOrder;
import org.berth.process.supervisor.os.Descriptors;
import org.berth.process.supervisor.os.OsException;
import org.berth.process.supervisor.os.PidFd;
import org.berth.process.supervisor.os.PosixSpawn;
import org.berth.process.supervisor.os.ProcStat;
import org.berth.process.supervisor.os.ProcTable;

/** Measures once, by real children, what this host can clean. Used by the spawner's thread. */
public final class HostProbe {
    /** How long a probe's child may take to do what is looked for, in nanoseconds. */
    private static final long PATIENCE = 5_000_000_000L;

    private static final String SHELL = "/bin/sh";
    private static final List<String> ENVIRONMENT = List.of("PATH=/usr/local/bin:/usr/bin:/bin");

    private final Containment containment;
    private HostMeasurement measured;

    public HostProbe(Containment containment) {
        this.containment = containment;
    }

    public HostMeasurement measure() {
        if (measured == null) {
            boolean group = ownGroup();
            String failure = group ? containmentFailure() : "the host's process groups could not be observed";
            boolean contained = failure == null;
            measured = new HostMeasurement(
                    contained
                            ? Capability.CONTAINED_TREE
                            : group ? Capability.PROCESS_GROUP : Capability.DIRECT_PROCESS,
                    ExitObservation.INDEPENDENT,
                    contained ? "bubblewrap" : null,
                    failure,
                    false,
                    kernel());
        }
        return measured;
    }

    private static String kernel() {
        try {
            return Files.readString(Path.of("/proc/sys/kernel/osrelease")).strip();
        } catch (IOException e) {
            return "unknown";
        }
    }

    /** Whether a child leads a group whose every member dies by one signal. */
    private static boolean ownGroup() {
        long pid;
        try (PosixSpawn spawn = new PosixSpawn(false)) {
            pid = spawn.open(0, "/dev/null")
                    .open(1, "/dev/null")
                    .open(2, "/dev/null")
                    .closeFrom(3)
                    .start(SHELL, List.of(SHELL, "-c", "sleep 60 & sleep 60 & wait"), ENVIRONMENT);
        }
        if (pid < 0) {
            return false;
        }
        int pidFd = PidFd.open(pid);
        try {
            boolean members = within(() -> ProcTable.group(pid).size() >= 3);
            if (PidFd.signalsGroups()) {
                PidFd.signalGroup(pidFd, PidFd.SIGKILL);
            } else {
                PidFd.signalGroupNumber(pid, PidFd.SIGKILL);
            }
            return members && within(() -> ProcTable.group(pid).isEmpty());
        } finally {
            PidFd.signal(pidFd, PidFd.SIGKILL);
            Launcher.reap(pidFd);
            Descriptors.close(pidFd);
        }
    }

    /** Why a descendant that left session and group outlives its namespace; null when it does not. */
    private String containmentFailure() {
        if (containment.program() == null) {
            return "bubblewrap (bwrap) is not installed";
        }
        SpawnOrder order = new SpawnOrder(
                "",
                "",
                SHELL,
                List.of("-c", "setsid sh -c 'sleep 300 & wait' & sleep 300"),
                Map.of(),
                "/",
                null,
                null,
                false,
                Capability.CONTAINED_TREE,
                0,
                0,
                null,
                null,
                0,
                null);
        try (Ends ends = Ends.open(null)) {
            Box box = containment.start(order, ENVIRONMENT, ends);
            box.release();
            try {
                return observe(box);
            } finally {
                PidFd.signal(box.initPidFd(), PidFd.SIGKILL);
                PidFd.signal(box.outerPidFd(), PidFd.SIGKILL);
                Launcher.reap(box.outerPidFd());
                Descriptors.close(box.outerPidFd());
                Descriptors.close(box.initPidFd());
                Descriptors.close(box.innerPidFd());
            }
        } catch (RefusedException e) {
            return e.getMessage();
        } catch (OsException e) {
            return "bubblewrap's namespace could not be observed";
        }
    }

    private static String observe(Box box) {
        long inner = box.tree().innerPid();
        ProcStat[] escaped = new ProcStat[1];
        boolean left = within(() -> {
            List<ProcStat> leaders = ProcTable.find(stat -> stat.parent() == inner && stat.session() == stat.pid());
            if (leaders.isEmpty()) {
                return false;
            }
            long leader = leaders.getFirst().pid();
            List<ProcStat> children = ProcTable.find(stat -> stat.parent() == leader);
            escaped[0] = children.isEmpty() ? null : children.getFirst();
            return escaped[0] != null;
        });
        if (!left) {
            return "a descendant in a session of its own could not be made (setsid is missing)";
        }
        PidFd.signal(box.initPidFd(), PidFd.SIGKILL);
        boolean gone = within(() -> !ProcTable.alive(escaped[0].pid(), escaped[0].startTicks()));
        return gone ? null : "a descendant in a session of its own outlived the namespace";
    }

    private static boolean within(BooleanSupplier condition) {
        long deadline = System.nanoTime() + PATIENCE;
        while (System.nanoTime() < deadline) {
            if (condition.getAsBoolean()) {
                return true;
            }
            LockSupport.parkNanos(2_000_000);
        }
        return false;
    }
}
