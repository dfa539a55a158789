package org.berth.harness.job.model;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.berth.harness.output.model.OutputModel;

/**
 * The jobs of a session as the rules see them; a kill ends a job at once.
 *
 * @param entries how many entries were committed
 * @param jobs every job that ever started, in that order
 */
public record JobsModel(int entries, List<ModelJob> jobs) {
    public JobsModel {
        jobs = List.copyOf(jobs);
    }

    /** An entry is committed. */
    public JobsModel committed() {
        return new JobsModel(entries + 1, jobs);
    }

    /** A job starts, with what its run wrote before. */
    public JobsModel started(String id, Optional<OutputModel.Cap> cap, List<Byte> written) {
        List<ModelJob> all = new ArrayList<>(jobs);
        all.add(new ModelJob(id, entries, OutputModel.empty(cap).write(written), Optional.empty()));
        return new JobsModel(entries, all);
    }

    /** Job {@code id} after a step of its own. */
    public JobsModel with(String id, UnaryOperator<ModelJob> step) {
        return new JobsModel(
                entries,
                jobs.stream()
                        .map(job -> job.id().equals(id) ? step.apply(job) : job)
                        .toList());
    }

    /** The jobs after a rewind to the {@code entry}-th entry. */
    public JobsModel rewound(int entry) {
        return new JobsModel(
                entries,
                jobs.stream()
                        .map(job -> orphan(job, entry) ? job.ended("killed") : job)
                        .toList());
    }

    /** The running jobs that the tree just after the {@code entry}-th entry does not hold. */
    public List<String> orphans(int entry) {
        return jobs.stream().filter(job -> orphan(job, entry)).map(ModelJob::id).toList();
    }

    private static boolean orphan(ModelJob job, int entry) {
        boolean heldByTarget = job.startedAfter() < entry;
        return job.runs() && !heldByTarget;
    }

    /**
     * What a wait answers, and at which tick.
     *
     * @param endAt the tick of the job's end; empty when it never ends
     */
    public static String waited(long start, long deadline, Optional<Long> endAt, String end) {
        if (start < deadline && endAt.isPresent() && endAt.get() < deadline) {
            return "settled " + end + " at " + Math.max(start, endAt.get());
        }
        return "detached at " + Math.max(start, deadline);
    }
}
