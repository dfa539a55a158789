package org.berth.harness.service;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.berth.harness.job.Job;
import org.berth.harness.job.JobTable;
import org.berth.harness.output.OutputBuffer;
import org.berth.harness.session.HarnessSession;
import org.berth.host.service.Host;
import org.berth.placement.Attempt;
import org.berth.placement.ExecutionState;
import org.berth.placement.StopMode;
import org.berth.placement.service.AttemptReader;
import org.berth.placement.service.LiveStreams;
import org.berth.placement.service.StopService;
import org.berth.problem.BerthException;
import org.berth.problem.ProblemCode;

/**
 * Jobs that outlived the server that started them: their output is read from their logs, since what the former server took
 * of the live stream is not known. Source: harness.md, S2: a job that survived a restart is judged by its entry.
 */
@ApplicationScoped
public class Survivors {
    private static final Logger LOG = Logger.getLogger(Survivors.class.getName());
    private static final int LOOK_MILLIS = 200;

    /** Ended jobs of former servers that a list shows: each one's log is read once. Source: an own choice. */
    private static final int MOST_ENDED = 64;

    @Inject
    private Host host;

    @Inject
    private AttemptReader reader;

    @Inject
    private StopService stops;

    @Inject
    private LiveStreams streams;

    @Inject
    private JobService jobs;

    @Inject
    private OpenSessions sessions;

    /** The session's jobs that are not over. What was admitted and never started is given up. */
    List<JobTable.Running> of(HarnessSession session, OpenSession opened) {
        List<JobTable.Running> running = new ArrayList<>();
        for (Attempt attempt :
                reader.unfinished(host.hostId(), session.ownerId(), SessionAttempts.action(session.sessionId()))) {
            if (attempt.executionState() == ExecutionState.INTENDED || !SessionAttempts.isCommand(attempt)) {
                stops.stop(SessionReader.owner(session), attempt.attemptId(), StopMode.FORCED);
            } else {
                JobRun run = run(opened, attempt, jobs.listener(session, opened));
                opened.runs().add(run);
                running.add(new JobTable.Running(run.job(), () -> jobs.kill(session, run), run.startedAfterEntry()));
                follow(session, run, new LogFollower(host.layout().outputDirectory(attempt.attemptKey())));
            }
        }
        return running;
    }

    /** A command that ended while no server was there to see it: its end is in its record, its output in its log. */
    Optional<JobRun> ended(OpenSession opened, String jobId) {
        return reader.find(SessionAttempts.attemptId(jobId))
                .filter(attempt -> attempt.actionId().equals(SessionAttempts.action(opened.sessionId())))
                .filter(attempt -> attempt.executionState() == ExecutionState.EXITED && attempt.exit() != null)
                .filter(SessionAttempts::isCommand)
                .map(attempt -> ended(opened, attempt));
    }

    /** The commands that ended latest under former servers, as far as they are still recorded. */
    List<JobRun> ended(HarnessSession session, OpenSession opened) {
        return reader
                .exited(host.hostId(), session.ownerId(), SessionAttempts.action(session.sessionId()), MOST_ENDED)
                .stream()
                .filter(attempt -> attempt.exit() != null && SessionAttempts.isCommand(attempt))
                .map(attempt -> ended(opened, attempt))
                .toList();
    }

    private JobRun ended(OpenSession opened, Attempt attempt) {
        JobRun run = run(opened, attempt, JobRun.Listener.NOBODY);
        try (LogFollower log = new LogFollower(host.layout().outputDirectory(attempt.attemptKey()))) {
            log.read(run.job()::output);
        } catch (IOException e) {
            throw new BerthException(ProblemCode.STORAGE, "the log of job " + run.id() + " cannot be read", e);
        }
        run.exited(attempt.exit());
        run.settle();
        run.endedAt(attempt.updatedAt());
        return run;
    }

    private JobRun run(OpenSession opened, Attempt attempt, JobRun.Listener listener) {
        return new JobRun(
                new Job(SessionAttempts.jobId(attempt), new OutputBuffer(opened.truncation())),
                JobRun.Kind.BASH,
                SessionAttempts.command(attempt),
                attempt.attemptId(),
                SessionAttempts.startedAfterEntry(attempt),
                attempt.createdAt(),
                over -> SessionAttempts.fullOutput(host, attempt, over),
                listener);
    }

    private void follow(HarnessSession session, JobRun run, LogFollower log) {
        sessions.later()
                .schedule(
                        () -> Thread.ofVirtual().start(() -> look(session, run, log)),
                        LOOK_MILLIS,
                        TimeUnit.MILLISECONDS);
    }

    private void look(HarnessSession session, JobRun run, LogFollower log) {
        try {
            Attempt now = reader.visible(SessionReader.owner(session), run.attemptId());
            boolean over = now.executionState() == ExecutionState.EXITED && (now.identity() == null || log.complete());
            log.read(run.job()::output);
            if (over) {
                log.close();
                run.exited(now.exit());
                run.settle();
                return;
            }
        } catch (IOException | RuntimeException e) {
            LOG.log(Level.FINE, "the log of job " + run.id() + " could not be read; it is tried again", e);
        }
        follow(session, run, log);
    }

    /** Connects every running command again. */
    void listenAgain(OpenSession session) {
        for (JobRun run : session.runs().all()) {
            if (run.kind() == JobRun.Kind.BASH && run.job().end().isEmpty() && run.isLost()) {
                reader.find(run.attemptId())
                        .ifPresent(attempt -> streams.connect(attempt, attempt.attachmentGeneration(), run));
            }
        }
    }
}
