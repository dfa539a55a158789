package org.berth.harness.service;

import jakarta.annotation.Resource;
import jakarta.enterprise.concurrent.ManagedExecutorService;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.berth.access.Caller;
import org.berth.harness.job.Job;
import org.berth.harness.job.JobEnd;
import org.berth.harness.job.JobTable;
import org.berth.harness.job.Waited;
import org.berth.harness.output.OutputBuffer;
import org.berth.harness.output.OutputView;
import org.berth.harness.session.HarnessSession;
import org.berth.host.service.Host;
import org.berth.placement.Attempt;
import org.berth.placement.ExitSource;
import org.berth.placement.StopMode;
import org.berth.placement.Wire;
import org.berth.placement.service.CleanupService;
import org.berth.placement.service.Failures;
import org.berth.placement.service.InternalAdmission;
import org.berth.placement.service.LiveStreams;
import org.berth.placement.service.StartService;
import org.berth.placement.service.StopService;
import org.berth.problem.BerthException;
import org.berth.problem.ProblemCode;

/**
 * A session's jobs: commands of its user, each an attempt in a process group of its own. No call blocks past the session's
 * budget. Source: harness.md, S2.
 */
@ApplicationScoped
public class JobService {
    /** Bytes of a command in UTF-8. Source: what one argument of a process may have, less the shell's own. */
    public static final int MOST_COMMAND = 120_000;

    private static final Logger LOG = Logger.getLogger(JobService.class.getName());

    /** How long after the exit the streams' ends may come. Source: the launch's drain of 1 s, and as much again. */
    private static final int STREAMS_END_MILLIS = 2_000;

    @Resource
    private ManagedExecutorService executor;

    @Inject
    private Host host;

    @Inject
    private SessionReader reader;

    @Inject
    private Survivors survivors;

    @Inject
    private OpenSessions sessions;

    @Inject
    private SessionDirectories directories;

    @Inject
    private InternalAdmission admission;

    @Inject
    private StartService starts;

    @Inject
    private StopService stops;

    @Inject
    private CleanupService cleanups;

    @Inject
    private LiveStreams streams;

    @Inject
    private Clock clock;

    /**
     * What a blocking call answers.
     *
     * @param end empty when it was detached at the budget
     */
    public record Answer(JobRun run, JobEnd end, OutputView output, long budgetMillis) {
        /** As clients see it. */
        public Map<String, Object> tree() {
            Map<String, Object> tree = new LinkedHashMap<>();
            if (end == null) {
                Map<String, Object> detached = new LinkedHashMap<>();
                detached.put("job", run.id());
                detached.put("budgetMs", budgetMillis);
                tree.put("detached", detached);
            } else {
                tree.put("job", run.id());
                SessionTrees.end(tree, end);
            }
            SessionTrees.output(tree, output, artifact(run, output));
            return tree;
        }
    }

    /**
     * Runs a command. With {@code wait} it blocks until the end, at most for the session's budget; else it answers at once.
     * Fails with INVALID, NOT_FOUND, CONFLICT, DENIED, UNAVAILABLE, or what refused the start: then there is no job.
     */
    public CompletionStage<Answer> bash(Caller caller, String sessionId, String command, boolean wait) {
        return bash(caller, sessionId, command, wait, JobRun.Listener.NOBODY);
    }

    /** As {@link #bash}; {@code other} is told of the job too. */
    CompletionStage<Answer> bash(Caller caller, String sessionId, String command, boolean wait, JobRun.Listener other) {
        if (command.isBlank()
                || command.getBytes(StandardCharsets.UTF_8).length > MOST_COMMAND
                || command.indexOf('\0') >= 0) {
            throw BerthException.invalid("command must be 1 to " + MOST_COMMAND + " bytes of UTF-8, none of them NUL");
        }
        HarnessSession session = reader.open(caller, sessionId);
        OpenSession open = sessions.of(session);
        long deadline = sessions.waits().deadline(open.budgetMillis());
        return begin(session, open, command, other)
                .thenCompose(begun -> wait
                        ? settled(open, begun, deadline)
                        : begun.started().thenApply(run -> answer(open, run, null)));
    }

    /** A job that clients can find, and its start, which may take longer than the caller has time. */
    private record Begun(JobRun run, CompletionStage<JobRun> started) {}

    /** The job's end or the refusal of its start, whichever comes first; at the deadline neither. */
    private CompletionStage<Answer> settled(OpenSession open, Begun begun, long deadline) {
        CompletableFuture<Answer> answer = new CompletableFuture<>();
        Future<?> late = sessions.later()
                .schedule(
                        () -> answer.complete(answer(open, begun.run(), null)),
                        deadline - System.nanoTime(),
                        TimeUnit.NANOSECONDS);
        begun.started().thenCompose(run -> waited(open, run, deadline)).whenComplete((settled, failure) -> {
            late.cancel(false);
            if (failure != null) {
                answer.completeExceptionally(Failures.unwrap(failure));
            } else {
                answer.complete(settled);
            }
        });
        return answer;
    }

    private CompletionStage<Begun> begin(
            HarnessSession session, OpenSession open, String command, JobRun.Listener other) {
        Caller owner = SessionReader.owner(session);
        String id = UUID.randomUUID().toString().substring(0, 13);
        long after = open.table().lastEntry();
        StartGate.Start start = open.starts().begin(after);
        if (start == null) {
            throw BerthException.conflict("the session is ending; nothing starts in it any more");
        }
        try {
            // An end that was over before the gate was passed is in the record, and a later one finds the start.
            reader.open(owner, session.sessionId());
            return admission
                    .admit(owner, SessionAttempts.command(session, directories.of(session), id, command, after))
                    .thenApplyAsync(
                            attempt -> spawn(
                                    session,
                                    open,
                                    run(session, open, id, command, attempt, after, other),
                                    attempt,
                                    start),
                            executor)
                    .whenComplete((run, failure) -> open.starts().giveUp(start));
        } catch (RuntimeException e) {
            open.starts().giveUp(start);
            throw e;
        }
    }

    private Begun spawn(HarnessSession session, OpenSession open, JobRun run, Attempt attempt, StartGate.Start start) {
        Caller owner = SessionReader.owner(session);
        boolean passed = open.starts().pass(start, () -> {
            open.runs().add(run);
            open.jobs()
                    .start(
                            new JobTable.Running(run.job(), () -> kill(session, run), run.startedAfterEntry()),
                            run.title());
        });
        if (!passed) {
            run.job().killed();
            stops.stop(owner, attempt.attemptId(), StopMode.FORCED);
            throw BerthException.conflict("the session ended or went back before the command was started");
        }
        streams.connect(attempt, attempt.attachmentGeneration(), run);
        CompletionStage<Attempt> started = CompletableFuture.completedStage(attempt)
                .thenComposeAsync(each -> starts.start(owner, each.attemptId()), executor);
        return new Begun(run, started(open, run, started));
    }

    private static CompletionStage<JobRun> started(OpenSession open, JobRun run, CompletionStage<Attempt> start) {
        return start.handle((started, failure) -> {
            if (failure != null) {
                throw refused(open, run, failure);
            }
            if (started.exitSource() == ExitSource.NOT_STARTED) {
                // A kill was first: no process tells an end.
                run.job().killed();
            }
            return run;
        });
    }

    /** A start whose fate is not known stays a job: its end is observed as any other's. */
    private static BerthException refused(OpenSession open, JobRun run, Throwable failure) {
        BerthException problem = Failures.unwrap(failure);
        if (problem.code() != ProblemCode.UNCERTAIN) {
            run.job().killed();
            open.runs().remove(run);
        }
        return problem;
    }

    private JobRun run(
            HarnessSession session,
            OpenSession open,
            String id,
            String command,
            Attempt attempt,
            long after,
            JobRun.Listener other) {
        return new JobRun(
                new Job(id, new OutputBuffer(open.truncation())),
                JobRun.Kind.BASH,
                command,
                attempt.attemptId(),
                after,
                clock.instant(),
                over -> SessionAttempts.fullOutput(host, attempt, over),
                listener(session, open).and(other));
    }

    /** What follows from what a job's process tells. */
    JobRun.Listener listener(HarnessSession session, OpenSession open) {
        return told(open).and(new JobRun.Listener() {
            @Override
            public void exited(JobRun run) {
                sessions.later().schedule(run::settle, STREAMS_END_MILLIS, TimeUnit.MILLISECONDS);
            }

            @Override
            public void over(JobRun run) {
                executor.execute(() -> cleanUp(session, run));
            }
        });
    }

    /** The session's clients are told of a job. */
    JobRun.Listener told(OpenSession open) {
        return new JobRun.Listener() {
            @Override
            public void started(JobRun run) {
                open.feed().tell("job_start", tree(run));
                run.job().ending().hear(end -> {
                    run.endedAt(clock.instant());
                    open.feed().tell("job_end", tree(run));
                });
            }

            @Override
            public void output(JobRun run, byte[] bytes) {
                open.feed().tell("job_output", SessionEvents.output(run, bytes));
            }
        };
    }

    /** Forced, to the process group. */
    void kill(HarnessSession session, JobRun run) {
        run.killing();
        stops.stop(SessionReader.owner(session), run.attemptId(), StopMode.FORCED)
                .whenComplete((stopped, failure) -> {
                    if (failure != null) {
                        LOG.log(
                                Level.WARNING,
                                "the stop of job " + run.id() + " was not taken; the sweep goes on",
                                failure);
                    }
                });
    }

    /** Proves that nothing of it is left, and removes its private home; what fails is the sweep's. */
    void cleanUp(HarnessSession session, JobRun run) {
        try {
            cleanups.cleanUp(SessionReader.owner(session), run.attemptId()).whenComplete((cleaned, failure) -> {
                if (failure != null) {
                    LOG.log(Level.FINE, "job " + run.id() + " is not cleaned up yet", failure);
                }
            });
        } catch (BerthException e) {
            LOG.log(Level.FINE, "job " + run.id() + " is not cleaned up yet", e);
        }
    }

    /** In the order of their starts: the running ones, and those that ended latest, under a former server too. */
    public List<JobRun> list(Caller caller, String sessionId) {
        HarnessSession session = reader.open(caller, sessionId);
        OpenSession open = sessions.of(session);
        open.runs().recall(() -> survivors.ended(session, open));
        return open.runs().all();
    }

    /** @throws BerthException NOT_FOUND */
    public JobRun find(Caller caller, String sessionId, String jobId) {
        return known(sessions.of(reader.open(caller, sessionId)), jobId);
    }

    private JobRun known(OpenSession open, String jobId) {
        JobRun run = open.runs().find(jobId);
        return run != null
                ? run
                : survivors
                        .ended(open, jobId)
                        .orElseThrow(() -> BerthException.notFound(
                                "the session knows no job of that id; its list shows those that it knows"));
    }

    /** Waits for an end, at most for {@code timeoutMillis} and never past the budget. */
    public CompletionStage<Answer> wait(Caller caller, String sessionId, String jobId, Long timeoutMillis) {
        OpenSession open = sessions.of(reader.open(caller, sessionId));
        long most = timeoutMillis == null ? open.budgetMillis() : Math.min(timeoutMillis, open.budgetMillis());
        return waited(open, known(open, jobId), sessions.waits().deadline(most));
    }

    /** Kills it, and waits for its end within the budget. */
    public CompletionStage<Answer> cancel(Caller caller, String sessionId, String jobId) {
        OpenSession open = sessions.of(reader.open(caller, sessionId));
        JobRun run = known(open, jobId);
        long deadline = sessions.waits().deadline(open.budgetMillis());
        open.jobs().find(jobId).ifPresent(running -> running.owner().kill());
        return waited(open, run, deadline);
    }

    private CompletionStage<Answer> waited(OpenSession open, JobRun run, long deadline) {
        return sessions.waits().until(run.job().ending(), deadline).thenApply(waited -> switch (waited) {
            case Waited.Settled<JobEnd> settled -> answer(open, run, settled.end());
            case Waited.Detached<JobEnd> _ -> answer(open, run, null);
        });
    }

    private static Answer answer(OpenSession open, JobRun run, JobEnd end) {
        return new Answer(run, end, run.job().view(), open.budgetMillis());
    }

    /** As clients see it, without its output. */
    public static Map<String, Object> tree(JobRun run) {
        Map<String, Object> tree = new LinkedHashMap<>();
        OutputView view = run.job().view();
        tree.put("job", run.id());
        tree.put("kind", Wire.name(run.kind()));
        tree.put("title", run.title());
        tree.put("state", state(run));
        run.job().end().ifPresent(end -> SessionTrees.end(tree, end));
        tree.put("startedAt", run.startedAt().toString());
        if (run.endedAt() != null) {
            tree.put("endedAt", run.endedAt().toString());
        }
        tree.put("startedAfterEntry", run.startedAfterEntry());
        tree.put("attempt", run.attemptId());
        tree.put("producedBytes", view.producedBytes());
        tree.put("keptBytes", (long) view.kept().length);
        tree.put("droppedBytes", view.droppedBytes());
        tree.put("artifact", artifact(run, view));
        return tree;
    }

    /** As {@link #tree}, with what is kept of its output. */
    public static Map<String, Object> whole(JobRun run) {
        Map<String, Object> tree = tree(run);
        OutputView view = run.job().view();
        SessionTrees.output(tree, view, artifact(run, view));
        return tree;
    }

    private static String artifact(JobRun run, OutputView view) {
        Path full = view.droppedBytes() == 0 ? null : run.fullOutput();
        return full == null ? null : full.toString();
    }

    private static String state(JobRun run) {
        return switch (run.job().end().orElse(null)) {
            case null -> "running";
            case JobEnd.Exited _ -> "exited";
            case JobEnd.Killed _ -> "killed";
            case JobEnd.Unknown _ -> "unknown";
        };
    }
}
