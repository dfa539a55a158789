package org.berth.harness.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.json.JsonObject;
import jakarta.json.JsonValue;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Phaser;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.atomic.AtomicBoolean;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.berth.harness.kernel.HostDispatch;
import org.berth.harness.kernel.KernelListener;
import org.berth.harness.output.BoundedOutput;
import org.berth.harness.output.Truncation;
import org.berth.problem.BerthException;
import org.berth.problem.ProblemCode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A step back, or the end of the session, that races with the start of a cell and its kernel leaves nothing running. */
class CellStartTest {
    private final List<Runnable> scheduled = new CopyOnWriteArrayList<>();
    private final ScheduledExecutorService later = new HandTimer(scheduled);
    private final List<FakePort> ports = new CopyOnWriteArrayList<>();
    private final List<JsonObject> asked = new CopyOnWriteArrayList<>();
    private final StartGate gate = new StartGate();
    private CompletableFuture<Void> mayStart = CompletableFuture.completedFuture(null);
    private final SessionKernel kernel = kernel();
    private int found;

    @TempDir
    private Path directory;

    private SessionKernel kernel() {
        return new SessionKernel(this::start, Runnable::run, later, sentence -> {}, text -> {});
    }

    private CompletionStage<KernelProcess> start(KernelListener listener) {
        return mayStart.thenApply(go -> {
            FakePort port = new FakePort();
            port.requests = asked::add;
            port.process = new KernelProcess(
                    "kernel-" + ports.size(),
                    new NamespaceSnapshot(directory.resolve(NamespaceSnapshot.FILE), Optional.empty()),
                    port,
                    listener,
                    NOTHING,
                    Runnable::run,
                    later);
            ports.add(port);
            port.says("{\"event\":\"ready\",\"id\":null,\"protocol\":3,\"python\":\"3.11.7\"}");
            return port.process;
        });
    }

    private static final HostDispatch NOTHING = new HostDispatch() {
        @Override
        public boolean serves(String type) {
            return false;
        }

        @Override
        public JsonValue handle(String type, JsonObject data) {
            return JsonValue.NULL;
        }
    };

    private CellRun cell() {
        return new CellRun(
                "cell",
                "a",
                Truncation.DEFAULT,
                new BoundedOutput(Truncation.DEFAULT, directory.resolve("cell")),
                b -> {});
    }

    private SessionKernel find() {
        found++;
        return kernel;
    }

    private List<String> types() {
        return asked.stream().map(request -> request.getString("type")).toList();
    }

    private static CellRun.Status status(CellRun cell) {
        return cell.ending().end().orElseThrow().status();
    }

    private static void refuses(ThrowingCallable start) {
        assertThatThrownBy(start)
                .isInstanceOfSatisfying(
                        BerthException.class,
                        problem -> assertThat(problem.code()).isEqualTo(ProblemCode.CONFLICT));
    }

    @Test
    void aStepBackBeforeTheKernelIsAskedLeavesNoCellAndNoKernel() {
        CellStart start = CellStart.begin(gate, 3);
        gate.rewind(3);
        refuses(() -> start.run(this::find, cell()));
        assertThat(found).isZero();
        assertThat(ports).isEmpty();
    }

    @Test
    void anEndBeforeTheKernelIsAskedLeavesNoCellAndNoKernelAndTakesNothingNew() {
        CellStart start = CellStart.begin(gate, 3);
        gate.close();
        refuses(() -> start.run(this::find, cell()));
        refuses(() -> CellStart.begin(gate, 3));
        assertThat(found).isZero();
    }

    @Test
    void aStepBackThatComesBeforeTheKernelHasTheCellKillsIt() {
        CellRun cell = cell();
        CellStart.begin(gate, 3)
                .run(
                        () -> {
                            gate.rewind(3);
                            return kernel;
                        },
                        cell);
        assertThat(types()).containsExactly("execute", "interrupt");
        scheduled.removeFirst().run();
        assertThat(ports.getFirst().kills).isPositive();
    }

    @Test
    void aStepBackToAnEntryAfterTheCellsStartLeavesItAlone() {
        CellStart start = CellStart.begin(gate, 3);
        start.run(this::find, cell());
        gate.rewind(4);
        assertThat(types()).containsExactly("execute");
    }

    @Test
    void aStepBackWhileTheKernelStartsWithdrawsTheCell() {
        mayStart = new CompletableFuture<>();
        CellRun cell = cell();
        CellStart.begin(gate, 3).run(this::find, cell);
        gate.rewind(3);
        mayStart.complete(null);
        assertThat(status(cell)).isEqualTo(CellRun.Status.INTERRUPTED);
        assertThat(types()).isEmpty();
    }

    @Test
    void anEndWhileTheKernelStartsKillsTheKernelOnceItIsThere() {
        mayStart = new CompletableFuture<>();
        CellRun cell = cell();
        CellStart.begin(gate, 3).run(this::find, cell);
        gate.close();
        kernel.end();
        mayStart.complete(null);
        assertThat(status(cell)).isEqualTo(CellRun.Status.INTERRUPTED);
        assertThat(types()).isEmpty();
        assertThat(ports.getFirst().kills).isPositive();
    }

    @Test
    void aCellThatWasForbiddenBecomesNoJob() {
        CellStart start = CellStart.begin(gate, 3);
        start.run(this::find, cell());
        gate.rewind(3);
        List<String> entered = new ArrayList<>();
        refuses(() -> start.detach(() -> entered.add("job")));
        assertThat(entered).isEmpty();
    }

    @Test
    void aCellThatIsOverIsNotStoppedByALaterStepBack() {
        CellStart start = CellStart.begin(gate, 3);
        start.run(this::find, cell());
        start.giveUp();
        gate.rewind(0);
        assertThat(types()).containsExactly("execute");
    }

    /** However the threads meet: nothing was sent that was not interrupted or killed. */
    @Test
    void anEndThatRacesWithAStartLeavesNothingRunning() throws Exception {
        try (ExecutorService threads = Executors.newFixedThreadPool(2)) {
            for (int round = 0; round < 300; round++) {
                raceOnce(threads);
            }
        }
    }

    private void raceOnce(ExecutorService threads) throws Exception {
        asked.clear();
        ports.clear();
        StartGate raced = new StartGate();
        SessionKernel here = kernel();
        CellRun cell = cell();
        Phaser together = new Phaser(2);
        AtomicBoolean wasFound = new AtomicBoolean();
        Future<?> end = threads.submit(() -> {
            together.arriveAndAwaitAdvance();
            raced.close();
            if (wasFound.get()) {
                here.end();
            }
        });
        Future<Boolean> started = threads.submit(() -> {
            together.arriveAndAwaitAdvance();
            try {
                CellStart.begin(raced, 0)
                        .run(
                                () -> {
                                    wasFound.set(true);
                                    return here;
                                },
                                cell);
                return true;
            } catch (BerthException e) {
                return false;
            }
        });
        end.get();
        boolean ran = started.get();
        assertThat(ran).isEqualTo(wasFound.get());
        assertThat(ports).as("no kernel is left").allMatch(port -> port.kills > 0);
        if (ran) {
            assertThat(cell.ending().end().isPresent() || ports.getFirst().kills > 0)
                    .isTrue();
        }
    }
}
