package org.berth.process.supervisor.command;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.function.BiConsumer;
import org.berth.environment.CommandOrder;
import org.berth.environment.CommandOutcome;
import org.berth.placement.Exit;
import org.berth.process.supervisor.loop.EventLoop;
import org.berth.process.supervisor.os.Descriptors;
import org.berth.process.supervisor.os.Epoll;
import org.berth.process.supervisor.os.Errno;
import org.berth.process.supervisor.os.PidFd;
import org.berth.process.supervisor.run.Services;
import org.berth.process.supervisor.spawn.Child;

/**
 * One running command. Its leader is reaped last, so that the group's number stays its own until what is left of the
 * group was killed. Runs on the loop.
 */
final class CommandRun {
    /**
     * Milliseconds after the leader's end that the streams get to end: only a process that left the group can hold them
     * open. Source: an own choice.
     */
    private static final int DRAIN_MILLIS = 500;

    /** A signal's number is added to it in an exit code. */
    private static final int SIGNAL_CODES = 128;

    private static final int KILLED = -1;

    private final Services services;
    private final CommandOrder order;
    private final Child child;
    private final BiConsumer<CommandRun, CommandOutcome> ended;
    private final BoundedStream stdout;
    private final BoundedStream stderr;
    private final EventLoop.Watch exitWatch;
    private final EventLoop.Timer timeout;
    private EventLoop.Watch stdinWatch;
    private EventLoop.Timer drain;
    private int written;
    private boolean exited;
    private boolean timedOut;
    private boolean truncated;
    private boolean over;

    CommandRun(Services services, CommandOrder order, Child child, BiConsumer<CommandRun, CommandOutcome> ended) {
        this.services = services;
        this.order = order;
        this.child = child;
        this.ended = ended;
        EventLoop loop = services.loop();
        stdout = new BoundedStream(services, child.stdout(), order.outputBytes(), this::overflowed, this::finish);
        stderr = new BoundedStream(services, child.stderr(), order.outputBytes(), this::overflowed, this::finish);
        exitWatch = loop.watch(child.pidFd(), Epoll.IN, _ -> leaderEnded());
        timeout = loop.after(order.timeoutMillis(), this::timedOut);
        if (order.stdin() == null || order.stdin().length == 0) {
            Descriptors.close(child.stdin());
        } else {
            stdinWatch = loop.watch(child.stdin(), Epoll.OUT, _ -> write());
        }
    }

    private void write() {
        int count = Math.min(order.stdin().length - written, Services.SCRATCH_BYTES);
        MemorySegment.copy(order.stdin(), written, services.scratch(), ValueLayout.JAVA_BYTE, 0, count);
        long done = Descriptors.write(child.stdin(), services.scratch(), count);
        if (done == -Errno.EAGAIN || done == -Errno.EINTR) {
            return;
        }
        written += (int) Math.max(0, done);
        if (done < 0 || written == order.stdin().length) {
            closeStdin();
        }
    }

    private void closeStdin() {
        if (stdinWatch != null) {
            stdinWatch.end();
            stdinWatch = null;
            Descriptors.close(child.stdin());
        }
    }

    private void timedOut() {
        if (!exited) {
            timedOut = true;
            kill();
        }
    }

    private void overflowed() {
        truncated = true;
        kill();
    }

    /** Kills the group; the rest follows from the leader's end. */
    void kill() {
        if (PidFd.signalsGroups()) {
            PidFd.signalGroup(child.pidFd(), PidFd.SIGKILL);
        } else {
            PidFd.signalGroupNumber(child.identity().group(), PidFd.SIGKILL);
        }
    }

    private void leaderEnded() {
        exitWatch.end();
        exited = true;
        timeout.cancel();
        closeStdin();
        kill();
        drain = services.loop().after(DRAIN_MILLIS, () -> {
            stdout.close();
            stderr.close();
            finish();
        });
        finish();
    }

    private void finish() {
        if (over || !exited || !stdout.ended() || !stderr.ended()) {
            return;
        }
        over = true;
        drain.cancel();
        Exit exit = PidFd.childExit(child.pidFd(), true);
        child.closePidFds();
        ended.accept(
                this,
                new CommandOutcome(
                        timedOut || truncated ? KILLED : code(exit),
                        stdout.bytes(),
                        stderr.bytes(),
                        timedOut,
                        truncated));
    }

    private static int code(Exit exit) {
        return switch (exit) {
            case Exit.Exited(int code) -> code;
            case Exit.Signalled(int signal) -> SIGNAL_CODES + signal;
            default -> KILLED;
        };
    }
}
