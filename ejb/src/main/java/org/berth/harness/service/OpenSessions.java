package org.berth.harness.service;

import jakarta.annotation.PreDestroy;
import jakarta.annotation.Resource;
import jakarta.enterprise.concurrent.ManagedExecutorService;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Inject;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import org.berth.harness.call.BoardEvent;
import org.berth.harness.call.ProgressBoard;
import org.berth.harness.call.ToolCalls;
import org.berth.harness.job.BlockingWait;
import org.berth.harness.job.JobTable;
import org.berth.harness.job.JobWriter;
import org.berth.harness.job.SessionJobs;
import org.berth.harness.job.WaitTimer;
import org.berth.harness.session.Entry;
import org.berth.harness.session.HarnessSession;
import org.berth.placement.service.SupervisorConnected;

/** The sessions that this server runs. One is opened at its first use, with the jobs that survived the last server. */
@ApplicationScoped
public class OpenSessions {
    @Resource
    private ManagedExecutorService executor;

    @Inject
    private SessionChanges changes;

    @Inject
    private EntryWriter entries;

    @Inject
    private Survivors survivors;

    @Inject
    private Clock clock;

    private final ConcurrentHashMap<String, OpenSession> open = new ConcurrentHashMap<>();
    private final ScheduledExecutorService timer = timer();
    private final BlockingWait wait = new BlockingWait(WaitTimer.of(timer));

    /** A timer of its own: a wait must end in time also while every thread of the server is busy. */
    private static ScheduledExecutorService timer() {
        ScheduledThreadPoolExecutor executor = (ScheduledThreadPoolExecutor) Executors.newScheduledThreadPool(
                1,
                task -> Thread.ofPlatform().name("berth-session-waits").daemon().unstarted(task));
        executor.setRemoveOnCancelPolicy(true);
        return executor;
    }

    @PreDestroy
    void end() {
        timer.shutdownNow();
    }

    /** The one function of every blocking wait. */
    BlockingWait waits() {
        return wait;
    }

    /** Runs a short task later, on the timer's thread. */
    ScheduledExecutorService later() {
        return timer;
    }

    /** The running part of a session that is open. */
    OpenSession of(HarnessSession session) {
        OpenSession known = open.get(session.sessionId());
        return known != null ? known : open.computeIfAbsent(session.sessionId(), id -> start(session));
    }

    /** What runs of a session here; empty when nothing was used since the server's start. */
    Optional<OpenSession> known(String sessionId) {
        return Optional.ofNullable(open.get(sessionId));
    }

    void forget(String sessionId) {
        open.remove(sessionId);
    }

    private OpenSession start(HarnessSession session) {
        String id = session.sessionId();
        JobTable table = new JobTable(session.lastEntry());
        SessionFeed feed = new SessionFeed();
        JobWriter writer = new JobWriter(new StateDocuments(id, changes, entries, clock), executor);
        ProgressBoard board = new ProgressBoard();
        OpenSession opened = new OpenSession(
                id,
                SessionSettings.truncation(session),
                session.budgetMillis(),
                table,
                new SessionJobs(table, writer, wait),
                board,
                new ToolCalls(
                        new CallRecords(id, changes, entries, entry -> committed(table, feed, entry), clock), board),
                feed,
                new StartGate(),
                new OpenSession.Runs());
        board.watch(event -> tell(feed, event));
        List<JobTable.Running> running = survivors.of(session, opened);
        opened.jobs().open(running);
        return opened;
    }

    /** An entry was committed: jobs that start from now on start after it. */
    static void committed(JobTable table, SessionFeed feed, Entry entry) {
        table.observe(entry.sequence());
        feed.tell("entry", SessionEvents.entry(entry));
    }

    private static void tell(SessionFeed feed, BoardEvent event) {
        switch (event) {
            case BoardEvent.Running _ -> {
                // Nobody listens yet.
            }
            case BoardEvent.Started started -> feed.tell("call_start", SessionEvents.started(started));
            case BoardEvent.Changed changed -> feed.tell("tool_execution_update", SessionEvents.changed(changed));
            case BoardEvent.Ended ended -> feed.tell("call_end", SessionEvents.ended(ended));
        }
    }

    /** The way to the supervisor is there again: jobs that lost it are listened to again. */
    void connected(@Observes SupervisorConnected connection) {
        open.values().forEach(survivors::listenAgain);
    }
}
