package org.berth.process.supervisor.run;

import java.util.List;
import org.berth.placement.Capability;
import org.berth.placement.Exit;
import org.berth.placement.ProcessIdentity;
import org.berth.process.supervisor.journal.AttemptImage;
import org.berth.process.supervisor.journal.Entry;
import org.berth.process.supervisor.os.Descriptors;
import org.berth.process.supervisor.os.PidFd;
import org.berth.process.supervisor.os.ProcStat;
import org.berth.process.supervisor.os.ProcTable;
import org.berth.process.supervisor.spawn.Child;
import org.berth.process.supervisor.spawn.Containment;
import org.berth.process.supervisor.spawn.Launcher;

/** Finds out at the start what became of a journalled attempt. Reads /proc; before the loop serves anything. */
final class Adoption {
    private final Services services;
    private AttemptImage image;

    Adoption(Services services, AttemptImage image) {
        this.services = services;
        this.image = image;
    }

    Runner restore() {
        if (image.exit() != null) {
            return Runner.ended(services, image, image.exit());
        }
        // Decided before all else: whatever was started in another boot is gone, known or not.
        if (!image.bootId().equals(ProcTable.bootId())) {
            return Runner.ended(services, image, new Exit.Unknown("the machine was started again"));
        }
        if (image.undecided()) {
            return Runner.ended(services, image, null);
        }
        ProcessIdentity identity = image.identity();
        if (identity == null) {
            identity = findByMarker();
            if (identity == null) {
                services.journal().append(new Entry.Undecided(image.attemptKey()));
                return Runner.ended(services, image, null);
            }
            image = image.spawned(identity, null);
            services.journal().append(new Entry.Spawned(image.attemptKey(), identity, null));
        }
        return adopt(identity);
    }

    /** A child whose start was ordered and not confirmed; only an only one is surely it. */
    private ProcessIdentity findByMarker() {
        List<ProcStat> leaders = ProcTable.leadersWith(Launcher.MARKER + "=" + image.attemptKey());
        if (leaders.size() != 1) {
            return null;
        }
        ProcStat leader = leaders.getFirst();
        ProcessIdentity.Tree tree = null;
        if (image.scope() == Capability.CONTAINED_TREE) {
            ProcStat init = onlyChild(leader.pid());
            if (init == null) {
                return null;
            }
            ProcStat inner = Containment.commandIsInit(leader.pid()) ? init : onlyChild(init.pid());
            tree = new ProcessIdentity.Tree(
                    init.pid(),
                    init.startTicks(),
                    inner == null ? 0 : inner.pid(),
                    inner == null ? 0 : inner.startTicks());
        }
        return new ProcessIdentity(leader.pid(), leader.group(), leader.startTicks(), ProcTable.bootId(), tree);
    }

    private static ProcStat onlyChild(long parent) {
        List<ProcStat> children = ProcTable.find(stat -> stat.parent() == parent);
        return children.isEmpty() ? null : children.getFirst();
    }

    private Runner adopt(ProcessIdentity identity) {
        int pidFd = openIfAlive(identity.pid(), identity.startTicks());
        ProcessIdentity.Tree tree = identity.tree();
        int initFd = tree == null ? -1 : openIfAlive(tree.initPid(), tree.initStartTicks());
        int innerFd = tree == null || tree.innerPid() == 0 ? -1 : openIfAlive(tree.innerPid(), tree.innerStartTicks());
        boolean alive = tree == null ? pidFd >= 0 : innerFd >= 0 || pidFd >= 0;
        if (!alive) {
            Descriptors.close(pidFd);
            Descriptors.close(innerFd);
            Descriptors.close(initFd);
            return Runner.ended(services, image, new Exit.Unknown("it ended while no supervisor waited for it"));
        }
        Child child = Child.adopted(identity, pidFd, innerFd, initFd);
        return Runner.adopted(services, image, child);
    }

    private static int openIfAlive(long pid, long startTicks) {
        int pidFd = PidFd.open(pid);
        if (pidFd >= 0 && !ProcTable.alive(pid, startTicks)) {
            Descriptors.close(pidFd);
            return -1;
        }
        return pidFd < 0 ? -1 : pidFd;
    }
}
