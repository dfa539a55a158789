package org.berth.harness.service;

import java.util.ArrayDeque;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.berth.harness.frame.ProtocolFault;
import org.berth.harness.kernel.Done;
import org.berth.harness.kernel.KernelClient;
import org.berth.harness.kernel.KernelListener;
import org.berth.harness.kernel.KernelRequest;
import org.berth.harness.kernel.OutputStream;
import org.berth.placement.service.Failures;

/**
 * A session's one kernel: started at its first cell, replaced at the cell after its end. Cells run one at a time, in their
 * order. A new kernel restores the names that the last one saved, before its first cell. Any thread may call.
 *
 * <pre>
 *   none --cell--> starting --started, names restored--> running --ended, or broke the protocol--> none
 *   starting --ended while it restored--> starting (without the names)
 *   starting --refused--> none (the cell is refused)
 *   any --end--> ended
 * </pre>
 */
final class SessionKernel {
    /** How long an interrupted cell may go on before its kernel is killed. Source: harness.md, S2; the time, own choice. */
    static final int GRACE_MILLIS = 5_000;

    /** Starts a kernel. */
    @FunctionalInterface
    interface Starter {
        CompletionStage<KernelProcess> start(KernelListener listener);
    }

    private final Starter starter;
    private final Executor executor;
    private final ScheduledExecutorService later;
    private final Consumer<String> diagnostics;
    private final Consumer<String> unowned;
    private final Queue<CellRun> waiting = new ArrayDeque<>();
    private CellRun running;
    private KernelRequest request;
    private KernelProcess kernel;
    private NamespaceKeeper keeper;
    private long executed;
    private boolean starting;
    private boolean ended;

    /**
     * @param diagnostics takes sentences for the log
     * @param unowned takes output that belongs to no cell and comes while none runs
     */
    SessionKernel(
            Starter starter,
            Executor executor,
            ScheduledExecutorService later,
            Consumer<String> diagnostics,
            Consumer<String> unowned) {
        this.starter = starter;
        this.executor = executor;
        this.later = later;
        this.diagnostics = diagnostics;
        this.unowned = unowned;
    }

    /** Runs a cell after those before it. */
    void run(CellRun cell) {
        synchronized (this) {
            if (!ended) {
                waiting.add(cell);
            }
        }
        advance();
        if (isEnded()) {
            cell.withdrawn();
        }
    }

    private synchronized boolean isEnded() {
        return ended;
    }

    private void advance() {
        KernelProcess now;
        NamespaceKeeper names;
        CellRun next;
        synchronized (this) {
            if (running != null || waiting.isEmpty() || ended) {
                return;
            }
            next = waiting.remove();
            running = next;
            now = kernel;
            names = keeper;
            // An end that comes from here on waits until it is known what became of it.
            starting = true;
        }
        if (now != null && !now.client().isClosed()) {
            synchronized (this) {
                starting = false;
            }
            names.giveWay();
            execute(next, now);
        } else {
            start(next);
        }
    }

    private void start(CellRun cell) {
        KernelListener listener = new Listener();
        CompletionStage<KernelProcess> started;
        try {
            started = starter.start(listener);
        } catch (RuntimeException e) {
            refused(cell, e);
            return;
        }
        started.whenCompleteAsync(
                (process, failure) -> {
                    if (failure != null) {
                        refused(cell, failure);
                    } else {
                        started(cell, process);
                    }
                },
                executor);
    }

    private void refused(CellRun cell, Throwable failure) {
        synchronized (this) {
            starting = false;
        }
        cell.refused(Failures.unwrap(failure));
        over(cell);
    }

    private void started(CellRun cell, KernelProcess process) {
        boolean wanted;
        NamespaceKeeper names = new NamespaceKeeper(process, later, diagnostics);
        synchronized (this) {
            starting = false;
            wanted = !ended;
            kernel = process;
            keeper = names;
        }
        if (wanted) {
            names.restore(() -> !isEnded()).thenAcceptAsync(restored -> restored(cell, process, restored), executor);
        } else {
            process.kill();
            cell.withdrawn();
            over(cell);
        }
    }

    private void restored(CellRun cell, KernelProcess process, NamespaceKeeper.Restored restored) {
        if (!restored.said().isEmpty()) {
            cell.diagnostic(restored.said());
        }
        boolean again;
        synchronized (this) {
            again = restored.fatal() && !ended;
            starting = again;
        }
        if (again) {
            start(cell);
        } else {
            execute(cell, process);
        }
    }

    private void execute(CellRun cell, KernelProcess process) {
        if (cell.ending().end().isPresent()) {
            over(cell);
            return;
        }
        KernelRequest sent = process.client().execute(cell.code(), cell);
        synchronized (this) {
            request = sent;
            executed++;
        }
        if (cell.ending().end().isPresent()) {
            // It was withdrawn while it was sent.
            interrupt(cell, process.client(), sent);
        }
        sent.done().whenComplete((done, gone) -> finished(cell, done, gone));
    }

    private void interrupt(CellRun cell, KernelClient client, KernelRequest sent) {
        client.interrupt(sent.id());
        later.schedule(() -> killIfRunning(cell), GRACE_MILLIS, TimeUnit.MILLISECONDS);
    }

    /** On the thread that feeds, right after the cell's last output. */
    private void finished(CellRun cell, Done done, Throwable gone) {
        if (gone == null) {
            cell.done(done);
        } else {
            cell.fault(reason(gone));
        }
        over(cell);
        if (gone == null) {
            long last;
            synchronized (this) {
                last = executed;
            }
            later.schedule(() -> quiet(last), NamespaceKeeper.QUIET_MILLIS, TimeUnit.MILLISECONDS);
        }
    }

    /** Saves the names where no cell came since; as {@link #save}. */
    private void quiet(long last) {
        executor.execute(() -> {
            synchronized (this) {
                if (executed == last && isIdle()) {
                    keeper.save();
                }
            }
        });
    }

    /** Whether a kernel runs, and no cell waits for it. */
    private boolean isIdle() {
        return running == null
                && waiting.isEmpty()
                && !ended
                && kernel != null
                && !kernel.client().isClosed();
    }

    /**
     * Saves the names before an orderly end, unless a cell runs: then what was saved last stays.
     *
     * @return completes at the save's end, and at the latest after {@code millis}; never fails
     */
    CompletionStage<Void> save(long millis) {
        synchronized (this) {
            // Sent under the lock, so that no cell is before it in the kernel.
            return isIdle() ? keeper.save(millis) : CompletableFuture.completedStage(null);
        }
    }

    private static String reason(Throwable gone) {
        return gone instanceof ProtocolFault fault
                ? "the kernel broke the protocol and is replaced: " + fault.getMessage()
                : String.valueOf(gone.getMessage());
    }

    private void over(CellRun cell) {
        synchronized (this) {
            if (running == cell) {
                running = null;
                request = null;
            }
        }
        executor.execute(this::advance);
    }

    /** Interrupts the cell that runs. @return it; empty when none runs */
    Optional<CellRun> interrupt() {
        CellRun cell;
        synchronized (this) {
            cell = running;
        }
        if (cell != null) {
            stop(cell, false);
        }
        return Optional.ofNullable(cell);
    }

    /** Interrupts a cell; one that goes on nevertheless is ended with its kernel, after the grace. */
    void kill(CellRun cell) {
        stop(cell, true);
    }

    private void stop(CellRun cell, boolean thenKill) {
        KernelClient client;
        KernelRequest sent;
        boolean neverRan;
        synchronized (this) {
            neverRan = waiting.remove(cell) || running == cell && request == null;
            client = kernel == null ? null : kernel.client();
            sent = running == cell ? request : null;
        }
        cell.interrupting();
        if (neverRan) {
            cell.withdrawn();
        } else if (sent != null && client != null && thenKill) {
            interrupt(cell, client, sent);
        } else if (sent != null && client != null) {
            client.interrupt(sent.id());
        }
    }

    private void killIfRunning(CellRun cell) {
        KernelProcess now;
        synchronized (this) {
            now = running == cell ? kernel : null;
        }
        if (now != null) {
            diagnostics.accept("a cell went on after its interrupt: the kernel is killed");
            now.kill();
        }
    }

    /** The kernel that serves now. */
    Optional<KernelClient> client() {
        return process().map(KernelProcess::client);
    }

    /** Its process, which may have ended; empty before the first cell. */
    synchronized Optional<KernelProcess> process() {
        return Optional.ofNullable(kernel);
    }

    /** Whether a kernel may come to be, also after {@link #end}. */
    synchronized boolean isStarting() {
        return starting;
    }

    /** Runs no further cell, and kills the kernel; one that is being started is killed once it is there. */
    void end() {
        Queue<CellRun> left;
        KernelProcess last;
        synchronized (this) {
            ended = true;
            left = new ArrayDeque<>(waiting);
            waiting.clear();
            last = kernel;
        }
        left.forEach(CellRun::withdrawn);
        if (last != null) {
            last.kill();
        }
    }

    /** What one kernel does outside its requests. */
    private final class Listener implements KernelListener {
        @Override
        public void output(OutputStream stream, String text) {
            CellRun cell;
            synchronized (SessionKernel.this) {
                cell = request == null ? null : running;
            }
            if (cell == null) {
                unowned.accept(text);
            } else {
                cell.output(stream, text);
            }
        }

        @Override
        public void diagnostic(String sentence) {
            diagnostics.accept(sentence);
        }

        @Override
        public void fault(ProtocolFault fault) {
            diagnostics.accept("the kernel broke the protocol: " + fault.getMessage());
        }

        @Override
        public void ended() {
            // Its client is closed: the next cell starts another one.
        }
    }
}
