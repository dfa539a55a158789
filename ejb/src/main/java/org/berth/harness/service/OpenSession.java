package org.berth.harness.service;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.berth.harness.call.ProgressBoard;
import org.berth.harness.call.ToolCalls;
import org.berth.harness.job.JobTable;
import org.berth.harness.job.SessionJobs;
import org.berth.harness.output.Truncation;

/**
 * A session as this server runs it: what is not recorded, and ends with the server. Any thread may call.
 *
 * @param budgetMillis how long a call may block
 */
record OpenSession(
        String sessionId,
        Truncation truncation,
        long budgetMillis,
        JobTable table,
        SessionJobs jobs,
        ProgressBoard board,
        ToolCalls calls,
        SessionFeed feed,
        StartGate starts,
        Runs runs) {
    /** The jobs that this server knows: the running ones, and those that ended latest. */
    static final class Runs {
        /** Ended jobs whose output can still be read here. Source: an own choice. */
        private static final int MOST_ENDED = 256;

        private final Map<String, JobRun> known = new LinkedHashMap<>();
        private final Object recalling = new Object();
        private boolean recalled;

        synchronized void add(JobRun run) {
            known.put(run.id(), run);
            List<String> ended = known.values().stream()
                    .filter(each -> each.job().end().isPresent())
                    .map(JobRun::id)
                    .toList();
            ended.stream().limit(Math.max(0, ended.size() - MOST_ENDED)).forEach(known::remove);
        }

        /**
         * Knows the jobs of former servers from now on, in their place among the others.
         *
         * @param former asked once, and again when that failed
         */
        void recall(Supplier<List<JobRun>> former) {
            synchronized (recalling) {
                if (!recalled) {
                    enter(former.get());
                    recalled = true;
                }
            }
        }

        private synchronized void enter(List<JobRun> former) {
            List<JobRun> all = new ArrayList<>(known.values());
            former.stream().filter(run -> !known.containsKey(run.id())).forEach(all::add);
            all.sort(Comparator.comparing(JobRun::startedAt));
            known.clear();
            all.forEach(run -> known.put(run.id(), run));
        }

        synchronized void remove(JobRun run) {
            known.remove(run.id());
        }

        /** Null when it is not known here. */
        synchronized JobRun find(String id) {
            return known.get(id);
        }

        /** In the order of their starts. */
        synchronized List<JobRun> all() {
            return new ArrayList<>(known.values());
        }
    }
}
