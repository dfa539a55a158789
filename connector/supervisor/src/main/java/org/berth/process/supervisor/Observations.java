package org.berth.process.supervisor;

import java.util.List;
import java.util.function.Consumer;
import org.berth.placement.Capability;
import org.berth.placement.Exit;
import org.berth.placement.ProcessIdentity;
import org.berth.placement.RunnerState;
import org.berth.placement.RunnerStatus;
import org.berth.placement.ScopeObservation;
import org.berth.placement.StopMode;
import org.berth.placement.StopOutcome;
import org.berth.process.supervisor.os.Descriptors;
import org.berth.process.supervisor.os.Errno;
import org.berth.process.supervisor.os.PidFd;
import org.berth.process.supervisor.os.ProcStat;
import org.berth.process.supervisor.os.ProcTable;
import org.berth.process.supervisor.run.Services;

/** Answers from /proc and an identity alone. Looks on the observer's thread, answers on the loop. */
final class Observations {
    private static final int MOST_SURVIVORS = 64;

    private final Services services;

    Observations(Services services) {
        this.services = services;
    }

    /** Whether a scope is gone. */
    void scope(Capability scope, ProcessIdentity identity, Consumer<ScopeObservation> reply) {
        services.observer().execute(() -> {
            ScopeObservation observation = scope(scope, identity);
            services.loop().post(() -> reply.accept(observation));
        });
    }

    private static ScopeObservation scope(Capability scope, ProcessIdentity identity) {
        if (identity == null) {
            return new ScopeObservation(false, List.of(), "the process is not identified");
        }
        if (!identity.bootId().equals(ProcTable.bootId())) {
            return new ScopeObservation(true, List.of(), null);
        }
        ProcessIdentity.Tree tree = identity.tree();
        return switch (scope) {
            case DIRECT_PROCESS -> {
                long pid = tree != null && tree.innerPid() != 0 ? tree.innerPid() : identity.pid();
                long ticks = tree != null && tree.innerPid() != 0 ? tree.innerStartTicks() : identity.startTicks();
                yield of(ProcTable.alive(pid, ticks) ? List.of(pid) : List.of(), "the process is alive");
            }
            case PROCESS_GROUP ->
                of(
                        group(identity).stream()
                                .map(ProcStat::pid)
                                .limit(MOST_SURVIVORS)
                                .toList(),
                        "members of the group are alive");
            case CONTAINED_TREE -> {
                if (tree == null) {
                    yield new ScopeObservation(false, List.of(), "the attempt was not contained");
                }
                boolean alive = ProcTable.alive(tree.initPid(), tree.initStartTicks());
                yield of(alive ? List.of(tree.initPid()) : List.of(), "the namespace is alive");
            }
        };
    }

    /** A group whose leader's number another process took is another group. */
    private static List<ProcStat> group(ProcessIdentity identity) {
        ProcStat leader = ProcStat.of(identity.pid());
        if (leader != null && leader.startTicks() != identity.startTicks()) {
            return List.of();
        }
        return ProcTable.group(identity.group());
    }

    private static ScopeObservation of(List<Long> survivors, String reason) {
        return new ScopeObservation(survivors.isEmpty(), survivors, survivors.isEmpty() ? null : reason);
    }

    /** What can be said of an attempt that this supervisor does not know. */
    void status(
            String attemptKey,
            String nonce,
            ProcessIdentity identity,
            boolean forgotten,
            Consumer<RunnerStatus> reply) {
        if (identity == null) {
            reply.accept(
                    forgotten
                            ? status(attemptKey, nonce, RunnerState.EXITED, null, "it ended and was forgotten")
                            : status(attemptKey, nonce, RunnerState.NOT_STARTED, null, null));
            return;
        }
        services.observer().execute(() -> {
            boolean alive = identity.bootId().equals(ProcTable.bootId())
                    && ProcTable.alive(identity.pid(), identity.startTicks());
            RunnerStatus status = alive
                    ? status(attemptKey, nonce, RunnerState.RUNNING, identity, null)
                    : status(attemptKey, nonce, RunnerState.EXITED, identity, "its process is gone");
            services.loop().post(() -> reply.accept(status));
        });
    }

    private static RunnerStatus status(
            String attemptKey, String nonce, RunnerState state, ProcessIdentity identity, String unknownExit) {
        Exit exit = unknownExit == null ? null : new Exit.Unknown(unknownExit);
        return new RunnerStatus(attemptKey, nonce, state, identity, exit, 0, false, 0, 0, 0);
    }

    /** Stops a process that this supervisor does not know, once it is identified alive. */
    void stop(ProcessIdentity identity, StopMode mode, int graceMillis, Consumer<StopOutcome> reply) {
        services.observer().execute(() -> {
            int pidFd = identified(identity);
            boolean sent =
                    pidFd >= 0 && signal(pidFd, identity, mode == StopMode.FORCED ? PidFd.SIGKILL : PidFd.SIGTERM);
            services.loop().post(() -> {
                reply.accept(sent ? StopOutcome.ACCEPTED : StopOutcome.UNPROVEN);
                if (sent && mode == StopMode.COOPERATIVE) {
                    services.loop()
                            .after(
                                    graceMillis,
                                    () -> services.observer().execute(() -> {
                                        if (ProcTable.alive(identity.pid(), identity.startTicks())
                                                || PidFd.signalsGroups()) {
                                            signal(pidFd, identity, PidFd.SIGKILL);
                                        }
                                        Descriptors.close(pidFd);
                                    }));
                } else {
                    Descriptors.close(pidFd);
                }
            });
        });
    }

    private static int identified(ProcessIdentity identity) {
        if (!identity.bootId().equals(ProcTable.bootId())) {
            return -Errno.ESRCH;
        }
        int pidFd = PidFd.open(identity.pid());
        if (pidFd >= 0 && !ProcTable.alive(identity.pid(), identity.startTicks())) {
            Descriptors.close(pidFd);
            return -Errno.ESRCH;
        }
        return pidFd;
    }

    private static boolean signal(int pidFd, ProcessIdentity identity, int signal) {
        ProcessIdentity.Tree tree = identity.tree();
        if (tree != null) {
            boolean kill = signal == PidFd.SIGKILL;
            long pid = kill ? tree.initPid() : tree.innerPid();
            long ticks = kill ? tree.initStartTicks() : tree.innerStartTicks();
            int target = PidFd.open(pid);
            boolean sent = target >= 0 && ProcTable.alive(pid, ticks) && PidFd.signal(target, signal) == 0;
            Descriptors.close(target);
            return sent;
        }
        int result = PidFd.signalsGroups()
                ? PidFd.signalGroup(pidFd, signal)
                : PidFd.signalGroupNumber(identity.group(), signal);
        return result == 0;
    }
}
