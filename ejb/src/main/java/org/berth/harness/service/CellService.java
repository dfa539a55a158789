package org.berth.harness.service;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.time.Clock;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.berth.access.Caller;
import org.berth.harness.job.Job;
import org.berth.harness.job.JobTable;
import org.berth.harness.job.Waited;
import org.berth.harness.output.BoundedOutput;
import org.berth.harness.session.HarnessSession;
import org.berth.problem.BerthException;

/**
 * Cells of a session's kernel. One that outlives the blocking budget goes on as a job of the session. Source: harness.md, S2
 * and "Kernel and transport".
 */
@ApplicationScoped
public class CellService {
    /** Characters of a cell. Source: an own choice, far below the protocol's line. */
    public static final int MOST_CODE = 1 << 20;

    private static final int MOST_TITLE = 200;

    @Inject
    private SessionReader reader;

    @Inject
    private OpenSessions sessions;

    @Inject
    private SessionKernels kernels;

    @Inject
    private KernelStarts starts;

    @Inject
    private JobService jobs;

    @Inject
    private Clock clock;

    /**
     * Runs a cell after those before it, and blocks at most for the session's budget. Fails with INVALID, NOT_FOUND,
     * CONFLICT, DENIED, or UNAVAILABLE where no kernel can be started.
     *
     * @return how it ended, with everything it showed; or {@code detached} and what it showed so far
     */
    public CompletionStage<Map<String, Object>> run(Caller caller, String sessionId, String code) {
        Submitted submitted = submit(reader.open(caller, sessionId), code, bytes -> {});
        return submitted.answer();
    }

    /** A cell on its way. @param answer as {@link #run} */
    record Submitted(CellRun cell, SessionKernel kernel, CompletionStage<Map<String, Object>> answer) {}

    Submitted submit(HarnessSession session, String code, Consumer<byte[]> heard) {
        if (code.length() > MOST_CODE) {
            throw BerthException.invalid("code must be at most " + MOST_CODE + " characters");
        }
        OpenSession open = sessions.of(session);
        long deadline = sessions.waits().deadline(open.budgetMillis());
        long after = open.table().lastEntry();
        CellStart start = CellStart.begin(open.starts(), after);
        try {
            // An end that was over before the gate was passed is in the record, and a later one finds the start.
            reader.open(SessionReader.owner(session), session.sessionId());
            String id = UUID.randomUUID().toString().substring(0, 13);
            CellRun cell = new CellRun(
                    id,
                    code,
                    open.truncation(),
                    new BoundedOutput(open.truncation(), starts.stateOf(session).resolve("cell-" + id + ".out")),
                    heard);
            SessionKernel kernel = start.run(() -> kernels.of(session, open).kernel(), cell);
            return new Submitted(
                    cell,
                    kernel,
                    sessions.waits()
                            .until(cell.ending(), deadline)
                            .thenApply(waited -> switch (waited) {
                                case Waited.Settled<CellRun.End> settled -> settled(cell, settled.end());
                                case Waited.Detached<CellRun.End> _ -> detached(open, kernel, cell, start, after);
                            })
                            .whenComplete((answer, failure) -> start.giveUp()));
        } catch (RuntimeException e) {
            start.giveUp();
            throw e;
        }
    }

    private static Map<String, Object> settled(CellRun cell, CellRun.End end) {
        if (end.refusal() != null) {
            throw end.refusal();
        }
        return cell.tree(end);
    }

    private Map<String, Object> detached(
            OpenSession open, SessionKernel kernel, CellRun cell, CellStart start, long after) {
        AtomicReference<JobRun> entered = new AtomicReference<>();
        start.detach(() -> entered.set(enter(open, kernel, cell, after)));
        JobRun run = entered.get();
        cell.detach(run::wrote);
        cell.ending().hear(end -> end(run, end));
        Map<String, Object> detached = new LinkedHashMap<>();
        detached.put("job", run.id());
        detached.put("budgetMs", open.budgetMillis());
        Map<String, Object> tree = new LinkedHashMap<>();
        tree.put("detached", detached);
        cell.rest(tree);
        return tree;
    }

    private JobRun enter(OpenSession open, SessionKernel kernel, CellRun cell, long after) {
        JobRun run = new JobRun(
                new Job(cell.id(), cell.output()),
                JobRun.Kind.CELL,
                title(cell.code()),
                kernel.process().map(KernelProcess::attemptId).orElse(null),
                after,
                clock.instant(),
                over -> cell.output().artifact().orElse(null),
                // The kernel serves further cells: nothing of it is cleaned up at the end of one.
                jobs.told(open));
        open.runs().add(run);
        open.jobs()
                .start(
                        new JobTable.Running(
                                run.job(),
                                () -> {
                                    run.killing();
                                    kernel.kill(cell);
                                },
                                after),
                        run.title());
        return run;
    }

    private static void end(JobRun run, CellRun.End end) {
        switch (end.status()) {
            case OK -> run.job().exited(0);
            case ERROR -> run.job().exited(1);
            case INTERRUPTED -> run.job().killed();
            case FAULT -> run.job().vanished(end.reason());
        }
    }

    /** The first line of the code, which stands for the cell in lists. */
    static String title(String code) {
        String first = code.strip().lines().findFirst().orElse("");
        return first.length() > MOST_TITLE ? first.substring(0, MOST_TITLE) + "…" : first;
    }

    /**
     * Interrupts the cell that runs; those after it go on.
     *
     * @return {@code {"interrupted": the cell's id, null when none runs}}
     */
    public Map<String, Object> interrupt(Caller caller, String sessionId) {
        HarnessSession session = reader.open(caller, sessionId);
        Map<String, Object> tree = new LinkedHashMap<>();
        tree.put(
                "interrupted",
                kernels.of(session, sessions.of(session))
                        .kernel()
                        .interrupt()
                        .map(CellRun::id)
                        .orElse(null));
        return tree;
    }
}
