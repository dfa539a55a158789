package org.berth.environment.local;

import java.io.IOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.util.LinkedHashMap;
import java.util.Map;
import org.berth.environment.DependentObservation;
import org.berth.files.Trees;
import org.berth.json.StrictJson;
import org.berth.placement.CanonicalJson;
import org.berth.problem.BerthException;
import org.berth.problem.ProblemCode;

/** The end of an environment: its processes, then its channel and files, its record last. Each step may be repeated. */
final class LocalRemoval {
    private static final long GONE_NANOS = 10_000_000_000L;
    private static final int STOP_GRACE_MILLIS = 2000;

    private final LocalDriver.Surroundings around;
    private final LocalRecords records;
    private final HostProc proc;

    LocalRemoval(LocalDriver.Surroundings around, LocalRecords records, HostProc proc) {
        this.around = around;
        this.records = records;
        this.proc = proc;
    }

    void remove(LocalRecord bound) {
        end(bound);
        Answers.of(around.channels().close(bound.key()));
        removeFiles(bound);
        if (bound.process() != null) {
            forget(bound);
        }
        records.remove(bound);
    }

    /** TERM to the helper, then KILL to the namespace, until nothing of it is left. */
    void end(LocalRecord bound) {
        if (bound.init() == null || !proc.alive(bound.init())) {
            return;
        }
        around.compute().stop(bound.key(), bound.nonce(), STOP_GRACE_MILLIS, bound.process());
        long deadline = System.nanoTime() + GONE_NANOS;
        while (proc.alive(bound.init())) {
            if (System.nanoTime() - deadline > 0) {
                throw new BerthException(
                        ProblemCode.ENVIRONMENT_CLEANUP_UNCONFIRMED, "The environment's processes are not gone yet.");
            }
            Answers.pause();
        }
    }

    /** The supervisor may still be about to see the end of the outer process. */
    private void forget(LocalRecord bound) {
        long deadline = System.nanoTime() + GONE_NANOS;
        while (true) {
            try {
                around.compute().forget(bound.key(), bound.nonce());
                return;
            } catch (BerthException e) {
                if (e.code() != ProblemCode.CONFLICT || System.nanoTime() - deadline > 0) {
                    throw e;
                }
                Answers.pause();
            }
        }
    }

    /** The supervisor may still close the log of what just ended, so that a directory fills again while it is emptied. */
    private void removeFiles(LocalRecord bound) {
        long deadline = System.nanoTime() + GONE_NANOS;
        while (true) {
            try {
                Trees.remove(around.layout().environment(bound.key()));
                return;
            } catch (DirectoryNotEmptyException e) {
                if (System.nanoTime() - deadline > 0) {
                    throw LocalCreation.storage(e);
                }
                Answers.pause();
            } catch (IOException e) {
                throw LocalCreation.storage(e);
            }
        }
    }

    /** The parts whose absence proves the removal, as JSON. */
    String inventory(LocalRecord bound) {
        ProcessMark init = bound.init();
        Map<String, Object> tree = new LinkedHashMap<>();
        tree.put("driver", "local");
        tree.put("id", bound.id());
        tree.put("init_pid", init == null ? null : init.pid());
        tree.put("init_start_ticks", init == null ? null : init.startTicks());
        tree.put("boot_id", init == null ? null : init.bootId());
        return CanonicalJson.write(tree);
    }

    /** What is left of the parts in {@code inventory}. Source: environments.md, Inventories. */
    DependentObservation left(String inventory) {
        Map<String, Object> tree = StrictJson.object(inventory);
        String key = ((String) tree.get("id")).replace("-", "");
        boolean workload = tree.get("init_pid") instanceof Long pid
                && proc.alive(new ProcessMark(pid, (Long) tree.get("init_start_ticks"), (String) tree.get("boot_id")));
        boolean supervisor = Answers.of(around.channels().status(key)) != null
                || Files.exists(around.layout().channel(key), LinkOption.NOFOLLOW_LINKS);
        boolean volumes = Files.exists(around.layout().environment(key), LinkOption.NOFOLLOW_LINKS);
        return new DependentObservation(workload, supervisor, volumes);
    }
}
