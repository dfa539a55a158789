package org.berth.harness.job;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/** The jobs of one session: every start and end goes to the table and to the writer. Any thread may call. */
public final class SessionJobs {
    private static final System.Logger LOG = System.getLogger(SessionJobs.class.getName());

    private final JobTable table;
    private final JobWriter writer;
    private final BlockingWait wait;

    public SessionJobs(JobTable table, JobWriter writer, BlockingWait wait) {
        this.table = Objects.requireNonNull(table);
        this.writer = Objects.requireNonNull(writer);
        this.wait = Objects.requireNonNull(wait);
    }

    /** Opens the session: jobs that survived a restart are watched again, documents of all others are retired. */
    public void open(List<JobTable.Running> survivors) {
        writer.open(Set.copyOf(survivors.stream().map(each -> each.job().id()).toList()));
        survivors.forEach(each -> {
            table.add(each);
            watch(each.job());
        });
    }

    /** A job starts: the caller has stored {@code startedAfterEntry} (from {@link JobTable#lastEntry()}) before its spawn. */
    public void start(JobTable.Running job, String work) {
        table.add(job);
        writer.started(new JobDocument(job.job().id(), job.startedAfterEntry(), work));
        watch(job.job());
    }

    /** The running job with this id. */
    public Optional<JobTable.Running> find(String id) {
        return table.running().stream()
                .filter(each -> each.job().id().equals(id))
                .findFirst();
    }

    /**
     * Kills every job that started after {@code entry} was committed, and waits for their ends, all of them together at most
     * until the deadline. A kill that fails leaves its job among those that are stopping.
     */
    public CompletableFuture<Rewound> rewindTo(long entry, long deadlineNanos) {
        List<JobTable.Running> orphans = table.rewindTo(entry);
        orphans.forEach(SessionJobs::kill);
        List<CompletableFuture<Waited<JobEnd>>> waits = orphans.stream()
                .map(each -> wait.until(each.job().ending(), deadlineNanos))
                .toList();
        return CompletableFuture.allOf(waits.toArray(CompletableFuture[]::new))
                .thenApply(all -> rewound(orphans, waits));
    }

    private static Rewound rewound(List<JobTable.Running> orphans, List<CompletableFuture<Waited<JobEnd>>> waits) {
        List<String> stopped = new ArrayList<>();
        List<String> stopping = new ArrayList<>();
        for (int i = 0; i < orphans.size(); i++) {
            String id = orphans.get(i).job().id();
            switch (waits.get(i).join()) {
                case Waited.Settled<JobEnd> settled -> stopped.add(id);
                case Waited.Detached<JobEnd> detached -> stopping.add(id);
            }
        }
        return new Rewound(stopped, stopping);
    }

    private void watch(Job job) {
        job.ending().hear(end -> {
            table.ended(job.id());
            writer.ended(job.id());
        });
    }

    private static void kill(JobTable.Running job) {
        try {
            job.owner().kill();
        } catch (RuntimeException e) {
            LOG.log(System.Logger.Level.WARNING, "the kill of job " + job.job().id() + " failed", e);
        }
    }
}
