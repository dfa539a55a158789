package org.berth.process.supervisor.run;

import java.util.function.Consumer;
import org.berth.placement.Exit;
import org.berth.process.supervisor.loop.EventLoop;
import org.berth.process.supervisor.os.Epoll;
import org.berth.process.supervisor.os.OsException;
import org.berth.process.supervisor.os.PidFd;
import org.berth.process.supervisor.spawn.Child;

/** Learns how a child ended, once, from the wait on it or from what the kernel kept of it. */
final class ExitWatch {
    /** Milliseconds between two questions to the kernel after a process that is another's child ended. */
    private static final int ASK_MILLIS = 5;

    /** Questions before the status counts as unknown. */
    private static final int ASKS = 100;

    /** A shell's and bubblewrap's codes above this one stand for signals. */
    private static final int LAST_PLAIN_CODE = 128;

    private final Services services;
    private final Child child;
    private final boolean ours;
    private final Consumer<Exit> ended;
    private EventLoop.Watch outer;
    private EventLoop.Watch inner;
    private EventLoop.Watch init;
    private boolean told;
    private boolean reaped;

    /** @param ours whether the kernel lets us wait for the child */
    ExitWatch(Services services, Child child, boolean ours, Consumer<Exit> ended) {
        this.services = services;
        this.child = child;
        this.ours = ours;
        this.ended = ended;
        if (child.pidFd() >= 0) {
            outer = services.loop().watch(child.pidFd(), Epoll.IN, _ -> outerEnded());
        }
        if (child.innerPidFd() >= 0) {
            inner = services.loop().watch(child.innerPidFd(), Epoll.IN, _ -> innerEnded());
        }
    }

    private void outerEnded() {
        if (!ours) {
            outer.end();
            if (inner == null) {
                ask(child.pidFd(), ASKS, () -> tell(new Exit.Unknown("it ended while no supervisor waited for it")));
            }
            return;
        }
        boolean reap = PidFd.signalsGroups() || child.contained();
        Exit exit;
        try {
            exit = PidFd.childExit(child.pidFd(), reap);
        } catch (OsException e) {
            exit = new Exit.Unknown("the wait on the child failed");
        }
        if (exit == null) {
            return;
        }
        reaped = reap;
        outer.end();
        if (!child.contained()) {
            tell(exit);
        } else if (inner == null && !told) {
            tellFromOuter(exit);
        }
    }

    private void tellFromOuter(Exit exit) {
        if (exit instanceof Exit.Exited(int code) && code <= LAST_PLAIN_CODE) {
            tell(exit);
        } else if (exit instanceof Exit.Signalled && child.initPidFd() >= 0) {
            init = services.loop().watch(child.initPidFd(), Epoll.IN, _ -> {
                init.end();
                tell(new Exit.Unknown("the process that waited for it was killed"));
            });
        } else {
            tell(new Exit.Unknown("the container folds signals into codes"));
        }
    }

    private void innerEnded() {
        inner.end();
        ask(child.innerPidFd(), ASKS, () -> {
            inner = null;
            if (!ours) {
                tell(new Exit.Unknown("the kernel does not tell the command's status"));
                return;
            }
            Exit exit = reaped ? null : PidFd.childExit(child.pidFd(), false);
            if (exit != null) {
                tellFromOuter(exit);
            } else if (reaped) {
                tell(new Exit.Unknown("the kernel does not tell the command's status"));
            }
        });
    }

    private void ask(int pidFd, int left, Runnable otherwise) {
        Exit exit = PidFd.reapedExit(pidFd);
        if (exit != null) {
            tell(exit);
        } else if (left == 0) {
            otherwise.run();
        } else {
            services.loop().after(ASK_MILLIS, () -> ask(pidFd, left - 1, otherwise));
        }
    }

    private void tell(Exit exit) {
        if (!told) {
            told = true;
            ended.accept(exit);
        }
    }

    /** Frees what the kernel keeps of an ended child, and the descriptors. */
    void close() {
        if (outer != null) {
            outer.end();
        }
        if (inner != null) {
            inner.end();
        }
        if (init != null) {
            init.end();
        }
        if (ours && !reaped) {
            try {
                PidFd.childExit(child.pidFd(), true);
            } catch (OsException e) {
                // Somebody else waited for it; nothing is left to free.
            }
        }
        child.closePidFds();
    }
}
