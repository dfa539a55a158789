package org.berth.harness.job;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;

/**
 * The one writer of a session's job documents: it takes all changes that wait as one batch, keeps their order, and nobody
 * waits for it. A job that starts and ends within a batch commits nothing. Changes of a batch that fails are committed one
 * at a time; one that fails alone becomes a notice, and the end of a start that failed retires nothing.
 *
 * <p>Only the executor's task calls the documents, one call at a time. Source: harness.md, S2.
 */
public final class JobWriter {
    private static final System.Logger LOG = System.getLogger(JobWriter.class.getName());

    private final JobDocuments documents;
    private final Executor executor;
    private final Set<String> nodes = new HashSet<>();
    private List<JobChange> waiting = new ArrayList<>();
    private boolean draining;

    public JobWriter(JobDocuments documents, Executor executor) {
        this.documents = Objects.requireNonNull(documents);
        this.executor = Objects.requireNonNull(executor);
    }

    /** Before any other call: retires the documents of jobs that are not {@code alive}. */
    public void open(Set<String> alive) {
        Set<String> present = documents.present();
        nodes.addAll(present);
        present.stream().filter(id -> !alive.contains(id)).sorted().forEach(this::ended);
    }

    /** A job has started. */
    public void started(JobDocument document) {
        add(new JobChange.Started(document));
    }

    /** A job has ended. */
    public void ended(String jobId) {
        add(new JobChange.Ended(jobId));
    }

    private void add(JobChange change) {
        synchronized (this) {
            waiting.add(change);
            if (draining) {
                return;
            }
            draining = true;
        }
        try {
            executor.execute(this::drain);
        } catch (RejectedExecutionException e) {
            synchronized (this) {
                draining = false;
            }
            LOG.log(System.Logger.Level.WARNING, "the records of jobs wait: their writer takes no work", e);
        }
    }

    private void drain() {
        while (true) {
            List<JobChange> batch;
            synchronized (this) {
                batch = waiting;
                waiting = new ArrayList<>();
                draining = !batch.isEmpty();
            }
            if (batch.isEmpty()) {
                return;
            }
            write(due(batch));
        }
    }

    /** Without the jobs that start and end here, and without ends of jobs that have no document. */
    private List<JobChange> due(List<JobChange> batch) {
        Set<String> started = new HashSet<>();
        Set<String> brief = new HashSet<>();
        for (JobChange change : batch) {
            switch (change) {
                case JobChange.Started start -> started.add(start.jobId());
                case JobChange.Ended end -> {
                    if (started.contains(end.jobId())) {
                        brief.add(end.jobId());
                    }
                }
            }
        }
        return batch.stream()
                .filter(change -> !brief.contains(change.jobId()))
                .filter(change -> change instanceof JobChange.Started || nodes.contains(change.jobId()))
                .toList();
    }

    private void write(List<JobChange> changes) {
        if (changes.isEmpty()) {
            return;
        }
        try {
            documents.commit(changes);
            changes.forEach(this::committed);
        } catch (RuntimeException e) {
            if (changes.size() == 1) {
                failed(changes.getFirst(), e);
            } else {
                changes.forEach(change -> write(List.of(change)));
            }
        }
    }

    private void committed(JobChange change) {
        switch (change) {
            case JobChange.Started start -> nodes.add(start.jobId());
            case JobChange.Ended end -> nodes.remove(end.jobId());
        }
    }

    private void failed(JobChange change, RuntimeException cause) {
        try {
            documents.recordFailed(change, cause);
        } catch (RuntimeException e) {
            e.addSuppressed(cause);
            LOG.log(System.Logger.Level.WARNING, "a record of job " + change.jobId() + " and its notice failed", e);
        }
    }
}
