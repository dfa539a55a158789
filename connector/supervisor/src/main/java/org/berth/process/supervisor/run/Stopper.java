package org.berth.process.supervisor.run;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.berth.placement.EvidenceKind;
import org.berth.placement.StopMode;
import org.berth.placement.StopOutcome;
import org.berth.process.supervisor.FaultPoint;
import org.berth.process.supervisor.journal.Entry;
import org.berth.process.supervisor.loop.EventLoop;
import org.berth.process.supervisor.os.Errno;
import org.berth.process.supervisor.os.PidFd;
import org.berth.process.supervisor.os.ProcTable;
import org.berth.process.supervisor.spawn.Child;

/** Stops one attempt: TERM and, after the grace, KILL for whatever of its scope still lives; or KILL at once. */
final class Stopper {
    private final Services services;
    private final String attemptKey;
    private final Child child;
    private final BiConsumer<EvidenceKind, Map<String, String>> evidence;
    private EventLoop.Timer grace;
    private long deadlineMillis;
    private StopMode requested;
    private boolean leaderEnded;

    Stopper(Services services, String attemptKey, Child child, BiConsumer<EvidenceKind, Map<String, String>> evidence) {
        this.services = services;
        this.attemptKey = attemptKey;
        this.child = child;
        this.evidence = evidence;
    }

    /** The newest stop's mode; null for none. */
    StopMode requested() {
        return requested;
    }

    /** Journals the stop, sends its first signal, then answers. */
    void order(StopMode mode, int graceMillis, Consumer<StopOutcome> reply) {
        if (leaderEnded && nothingLeft()) {
            reply.accept(StopOutcome.NOTHING_LEFT);
            return;
        }
        if (grace != null && requested == StopMode.COOPERATIVE && mode == StopMode.COOPERATIVE) {
            // Its TERM is sent and its KILL is set; the same order again changes nothing.
            reply.accept(StopOutcome.ACCEPTED);
            return;
        }
        requested = mode;
        long now = services.clock().millis();
        long due = mode == StopMode.FORCED ? now : now + graceMillis;
        deadlineMillis = grace == null ? due : Math.min(deadlineMillis, due);
        services.journal().append(new Entry.StopOrdered(attemptKey, mode, deadlineMillis), () -> {
            boolean sent = mode == StopMode.FORCED ? kill() : term();
            reply.accept(sent || !leaderEnded ? StopOutcome.ACCEPTED : StopOutcome.NOTHING_LEFT);
        });
    }

    /** Goes on with a stop that an earlier supervisor had begun. */
    void resume(StopMode mode, long deadline) {
        requested = mode;
        deadlineMillis = deadline;
        if (mode == StopMode.FORCED) {
            kill();
        } else {
            // Whether the TERM was sent before is not known; a second one does less harm than none.
            term();
        }
    }

    private boolean term() {
        boolean sent = child.contained() ? termInner() : signalGroup(PidFd.SIGTERM, EvidenceKind.SIGNAL_TERM);
        FaultPoint.STOP_BETWEEN_TERM_AND_KILL.pass();
        if (sent) {
            arm();
        } else {
            finish();
        }
        return sent;
    }

    private boolean termInner() {
        if (leaderEnded || child.innerPidFd() < 0) {
            return kill();
        }
        boolean sent = PidFd.signal(child.innerPidFd(), PidFd.SIGTERM) == 0;
        if (sent) {
            evidence.accept(
                    EvidenceKind.SIGNAL_TERM,
                    Map.of(
                            "target",
                            "command",
                            "pid",
                            Long.toString(child.identity().tree().innerPid())));
        }
        return sent;
    }

    private void arm() {
        if (grace != null) {
            grace.cancel();
        }
        grace = services.loop().after(deadlineMillis - services.clock().millis(), this::graceElapsed);
    }

    private void graceElapsed() {
        grace = null;
        services.observer().execute(() -> {
            boolean live = live();
            services.loop().post(() -> {
                if (live) {
                    kill();
                } else {
                    finish();
                }
            });
        });
    }

    private boolean live() {
        if (child.contained()) {
            return ProcTable.alive(
                    child.identity().tree().initPid(), child.identity().tree().initStartTicks());
        }
        return !ProcTable.group(child.identity().group()).isEmpty();
    }

    private boolean nothingLeft() {
        return child.contained()
                ? PidFd.signal(child.initPidFd(), 0) == -Errno.ESRCH
                : !PidFd.groupAnswers(child.identity().group());
    }

    private boolean kill() {
        boolean sent;
        if (child.contained()) {
            sent = PidFd.signal(child.initPidFd(), PidFd.SIGKILL) == 0;
            if (sent) {
                evidence.accept(
                        EvidenceKind.SIGNAL_KILL,
                        Map.of(
                                "target",
                                "namespace",
                                "pid",
                                Long.toString(child.identity().tree().initPid())));
            }
        } else {
            sent = signalGroup(PidFd.SIGKILL, EvidenceKind.SIGNAL_KILL);
        }
        if (grace != null) {
            grace.cancel();
            grace = null;
        }
        finish();
        return sent;
    }

    /** While the kernel knows no group signals by descriptor the leader stays unreaped, so its number is its own. */
    private boolean signalGroup(int signal, EvidenceKind kind) {
        long group = child.identity().group();
        int result = PidFd.signalsGroups()
                ? PidFd.signalGroup(child.pidFd(), signal)
                : PidFd.signalGroupNumber(group, signal);
        if (result != 0) {
            return false;
        }
        Map<String, String> detail = new TreeMap<>(
                Map.of("target", "group", "group", Long.toString(group), "signal", Integer.toString(signal)));
        evidence.accept(leaderEnded ? EvidenceKind.SIGNAL_GROUP : kind, detail);
        return true;
    }

    private void finish() {
        services.journal().append(new Entry.StopDone(attemptKey));
    }

    /** The child ended; a stop under way goes on only for what it left behind. */
    void leaderEnded() {
        leaderEnded = true;
        if (grace != null && nothingLeft()) {
            grace.cancel();
            grace = null;
            finish();
        }
    }

    /** Live members of the group, at most {@code most} of them. Reads /proc. */
    static List<Long> survivors(long group, int most) {
        List<Long> pids = new ArrayList<>();
        ProcTable.group(group).stream().limit(most).forEach(stat -> pids.add(stat.pid()));
        return pids;
    }

    void close() {
        if (grace != null) {
            grace.cancel();
        }
    }
}
