package org.berth.harness.service;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.json.JsonObject;
import jakarta.json.JsonValue;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ScheduledExecutorService;
import org.berth.harness.kernel.HostDispatch;
import org.berth.harness.kernel.KernelListener;
import org.berth.harness.output.BoundedOutput;
import org.berth.harness.output.OutputLimits;
import org.berth.harness.output.Truncation;
import org.berth.problem.BerthException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SessionKernelTest {
    /** Never runs what a test does not run itself. */
    private final List<Runnable> scheduled = new ArrayList<>();

    private final ScheduledExecutorService later = new HandTimer(scheduled);
    private final List<FakePort> ports = new ArrayList<>();
    private final List<JsonObject> asked = new ArrayList<>();
    private final List<String> said = new ArrayList<>();
    private final List<String> unowned = new ArrayList<>();
    private CompletableFuture<Void> mayStart = CompletableFuture.completedFuture(null);
    private Runnable beforeStart = () -> {};
    private Runnable stopWhileSent = () -> {};
    private int made;

    @TempDir
    private Path directory;

    private final SessionKernel kernel = new SessionKernel(this::start, Runnable::run, later, said::add, unowned::add);

    @AfterEach
    void end() {
        later.shutdownNow();
    }

    private CompletionStage<KernelProcess> start(KernelListener listener) {
        beforeStart.run();
        return mayStart.thenApply(go -> {
            FakePort port = new FakePort();
            port.requests = request -> {
                asked.add(request);
                if (request.getString("type").equals("execute")) {
                    stopWhileSent.run();
                }
            };
            port.process = new KernelProcess(
                    "kernel-" + ports.size(),
                    new NamespaceSnapshot(directory.resolve(NamespaceSnapshot.FILE), Optional.empty()),
                    port,
                    listener,
                    nothing(),
                    Runnable::run,
                    later);
            ports.add(port);
            port.says("{\"event\":\"ready\",\"id\":null,\"protocol\":3,\"python\":\"3.11.7\"}");
            return port.process;
        });
    }

    private static HostDispatch nothing() {
        return new HostDispatch() {
            @Override
            public boolean serves(String type) {
                return false;
            }

            @Override
            public JsonValue handle(String type, JsonObject data) {
                return JsonValue.NULL;
            }
        };
    }

    private CellRun cell(String code) {
        return cell(code, Truncation.DEFAULT);
    }

    private CellRun cell(String code, Truncation truncation) {
        String id = "cell" + ++made;
        return new CellRun(id, code, truncation, new BoundedOutput(truncation, directory.resolve(id)), bytes -> {});
    }

    private CellRun run(String code) {
        CellRun cell = cell(code);
        kernel.run(cell);
        return cell;
    }

    private FakePort port() {
        return ports.getLast();
    }

    private String lastId() {
        return asked.getLast().getString("id");
    }

    private void done() {
        port().says("{\"event\":\"done\",\"id\":\"" + lastId() + "\",\"status\":\"ok\"}");
    }

    private static Map<String, Object> tree(CellRun cell) {
        return cell.tree(cell.ending().end().orElseThrow());
    }

    private List<String> codes() {
        return asked.stream()
                .filter(request -> request.getString("type").equals("execute"))
                .map(request -> request.getString("code"))
                .toList();
    }

    @Test
    void the_first_cell_starts_the_kernel_and_the_next_one_finds_it() {
        assertThat(ports).isEmpty();
        run("a");
        done();
        run("b");
        done();
        assertThat(ports).hasSize(1);
        assertThat(codes()).containsExactly("a", "b");
    }

    @Test
    void cells_run_one_at_a_time_in_their_order() {
        CellRun first = run("a");
        CellRun second = run("b");
        assertThat(codes()).containsExactly("a");
        done();
        assertThat(codes()).containsExactly("a", "b");
        assertThat(first.ending().end()).isPresent();
        assertThat(second.ending().end()).isEmpty();
    }

    @Test
    void what_a_cell_shows_is_in_its_answer() {
        CellRun cell = run("a");
        port().says("{\"event\":\"stdout\",\"id\":\"" + lastId() + "\",\"text\":\"grüße\\n\"}");
        port().says("{\"event\":\"stdout\",\"id\":null,\"text\":\"raw\\n\"}");
        port().says("{\"event\":\"display\",\"id\":\"" + lastId() + "\",\"data\":{\"text/html\":\"<b>1</b>\"}}");
        port().says("{\"event\":\"result\",\"id\":\"" + lastId() + "\",\"text\":\"42\"}");
        done();
        assertThat(tree(cell))
                .containsEntry("status", "ok")
                .containsEntry("result", "42")
                .containsEntry("error", null)
                .containsEntry("output", "grüße\nraw\n")
                .containsEntry("displays", List.of(Map.of("text/html", "<b>1</b>")));
    }

    @Test
    void an_exception_is_an_error_with_its_traceback_and_the_kernel_goes_on() {
        CellRun cell = run("a");
        port().says("{\"event\":\"error\",\"id\":\"" + lastId()
                + "\",\"ename\":\"ValueError\",\"evalue\":\"no\",\"traceback\":[\"line\"]}");
        port().says("{\"event\":\"done\",\"id\":\"" + lastId()
                + "\",\"status\":\"error\",\"reason\":\"ValueError: no\"}");
        assertThat(tree(cell))
                .containsEntry("status", "error")
                .extracting("error")
                .hasToString("{name=ValueError, text=no, traceback=[line]}");
        run("b");
        assertThat(ports).hasSize(1);
    }

    @Test
    void a_line_that_breaks_the_protocol_fails_the_cell_loudly_and_the_next_one_gets_another_kernel() {
        CellRun cell = run("a");
        CellRun next = run("b");
        FakePort broken = port();
        broken.says("this is no frame");
        assertThat(tree(cell))
                .containsEntry("status", "fault")
                .extracting("error")
                .asString()
                .contains("a line is not a protocol frame");
        assertThat(broken.kills).isPositive();
        assertThat(ports).hasSize(2);
        done();
        assertThat(tree(next)).containsEntry("status", "ok");
        broken.ends();
        run("c");
        assertThat(ports)
                .as("the end of the replaced kernel is not the new one's")
                .hasSize(2);
    }

    @Test
    void the_kernels_end_fails_the_cell_and_the_next_one_gets_another_kernel() {
        CellRun cell = run("a");
        port().ends();
        assertThat(tree(cell)).containsEntry("status", "fault");
        assertThat(run("b").ending().end()).isEmpty();
        assertThat(ports).hasSize(2);
    }

    @Test
    void an_idle_kernel_that_ended_is_replaced_before_a_cell_runs() {
        run("a");
        done();
        port().ends();
        CellRun next = run("b");
        done();
        assertThat(tree(next)).containsEntry("status", "ok");
        assertThat(ports).hasSize(2);
    }

    @Test
    void a_kernel_that_cannot_be_started_refuses_its_cell_and_the_next_cell_tries_again() {
        mayStart = CompletableFuture.failedFuture(BerthException.unavailable("not installed"));
        CellRun cell = run("a");
        assertThat(cell.ending().end().orElseThrow().refusal()).hasMessage("not installed");
        mayStart = CompletableFuture.completedFuture(null);
        run("b");
        assertThat(codes()).containsExactly("b");
    }

    @Test
    void an_interrupt_reaches_the_running_cell_only_and_its_end_says_so() {
        CellRun cell = run("a");
        CellRun waiting = run("b");
        String first = lastId();
        assertThat(kernel.interrupt()).contains(cell);
        assertThat(asked.getLast().getString("type")).isEqualTo("interrupt");
        assertThat(lastId()).isEqualTo(first);
        port().says("{\"event\":\"done\",\"id\":\"" + first
                + "\",\"status\":\"error\",\"reason\":\"KeyboardInterrupt\"}");
        assertThat(tree(cell)).containsEntry("status", "interrupted");
        done();
        assertThat(tree(waiting)).containsEntry("status", "ok");
        assertThat(scheduled).isEmpty();
    }

    @Test
    void a_cell_that_raises_the_same_by_itself_is_an_error() {
        CellRun cell = run("a");
        port().says("{\"event\":\"done\",\"id\":\"" + lastId()
                + "\",\"status\":\"error\",\"reason\":\"KeyboardInterrupt\"}");
        assertThat(tree(cell)).containsEntry("status", "error");
    }

    @Test
    void a_killed_cell_that_goes_on_is_ended_with_its_kernel_after_the_grace() {
        CellRun cell = run("a");
        kernel.kill(cell);
        assertThat(port().kills).isZero();
        scheduled.removeFirst().run();
        assertThat(port().kills).isPositive();
        port().ends();
        assertThat(tree(cell)).containsEntry("status", "interrupted");
    }

    @Test
    void a_killed_cell_that_ended_in_time_leaves_the_kernel_alone() {
        CellRun cell = run("a");
        kernel.kill(cell);
        port().says("{\"event\":\"done\",\"id\":\"" + asked.getFirst().getString("id")
                + "\",\"status\":\"error\",\"reason\":\"KeyboardInterrupt\"}");
        run("b");
        scheduled.removeFirst().run();
        assertThat(port().kills).isZero();
    }

    @Test
    void a_cell_that_waits_is_withdrawn_and_never_runs() {
        run("a");
        CellRun waiting = run("b");
        kernel.kill(waiting);
        assertThat(tree(waiting)).containsEntry("status", "interrupted");
        done();
        assertThat(codes()).containsExactly("a");
    }

    @Test
    void a_cell_that_is_killed_while_its_kernel_starts_never_runs_and_the_kernel_serves_the_next_one() {
        mayStart = new CompletableFuture<>();
        CellRun cell = run("a");
        kernel.kill(cell);
        CellRun next = run("b");
        mayStart.complete(null);
        assertThat(codes()).containsExactly("b");
        done();
        assertThat(tree(next)).containsEntry("status", "ok");
        assertThat(ports).hasSize(1);
    }

    @Test
    void the_end_kills_the_kernel_and_no_further_cell_runs() {
        run("a");
        CellRun waiting = run("b");
        kernel.end();
        assertThat(port().kills).isPositive();
        assertThat(tree(waiting)).containsEntry("status", "interrupted");
        port().ends();
        assertThat(tree(run("c"))).containsEntry("status", "interrupted");
        assertThat(ports).hasSize(1);
    }

    @Test
    void a_kernel_that_was_being_started_at_the_end_is_killed_once_it_is_there() {
        mayStart = new CompletableFuture<>();
        CellRun cell = run("a");
        kernel.end();
        assertThat(kernel.isStarting()).isTrue();
        mayStart.complete(null);
        assertThat(kernel.isStarting()).isFalse();
        assertThat(port().kills).isPositive();
        assertThat(cell.ending().end()).isPresent();
        assertThat(codes()).isEmpty();
    }

    @Test
    void a_cell_that_is_withdrawn_at_the_moment_it_is_sent_is_interrupted_and_then_killed() {
        CellRun cell = cell("a");
        stopWhileSent = () -> kernel.kill(cell);
        kernel.run(cell);
        assertThat(tree(cell)).containsEntry("status", "interrupted");
        assertThat(asked.getLast().getString("type")).isEqualTo("interrupt");
        scheduled.removeFirst().run();
        assertThat(port().kills).isPositive();
    }

    @Test
    void an_end_between_a_cells_turn_and_its_kernels_start_waits_for_the_start() {
        CellRun cell = cell("a");
        List<Boolean> seen = new ArrayList<>();
        mayStart = new CompletableFuture<>();
        beforeStart = () -> {
            kernel.end();
            seen.add(kernel.isStarting());
        };
        kernel.run(cell);
        mayStart.complete(null);
        assertThat(seen).containsExactly(true);
        assertThat(kernel.isStarting()).isFalse();
        assertThat(port().kills).isPositive();
        assertThat(codes()).isEmpty();
    }

    @Test
    void output_while_no_cell_runs_is_nobodys() {
        run("a");
        done();
        port().says("{\"event\":\"stdout\",\"id\":null,\"text\":\"late\"}");
        assertThat(unowned).containsExactly("late");
    }

    @Test
    void the_whole_output_of_a_cell_past_the_bound_is_in_a_file() throws Exception {
        Truncation ten = new Truncation.On(new OutputLimits(10, 100, OutputLimits.Keep.TAIL));
        CellRun cell = cell("a", ten);
        kernel.run(cell);
        port().says("{\"event\":\"stdout\",\"id\":\"" + lastId() + "\",\"text\":\"0123456789abcdef\"}");
        port().says("{\"event\":\"result\",\"id\":\"" + lastId() + "\",\"text\":\"0123456789abcdef\"}");
        done();
        Map<String, Object> tree = tree(cell);
        assertThat(tree)
                .containsEntry("output", "6789abcdef")
                .containsEntry("droppedBytes", 6L)
                .containsEntry("result", "6789abcdef")
                .containsEntry("resultDroppedBytes", 6L);
        assertThat(Path.of(String.valueOf(tree.get("artifact")))).hasContent("0123456789abcdef");
    }

    @Test
    void a_detached_cell_tells_its_output_its_result_and_its_error_to_the_job() {
        CellRun cell = run("a");
        port().says("{\"event\":\"stdout\",\"id\":\"" + lastId() + "\",\"text\":\"before\"}");
        List<String> job = new ArrayList<>();
        cell.detach(bytes -> job.add(new String(bytes)));
        port().says("{\"event\":\"stdout\",\"id\":\"" + lastId() + "\",\"text\":\"after\"}");
        port().says("{\"event\":\"result\",\"id\":\"" + lastId() + "\",\"text\":\"42\"}");
        done();
        assertThat(job).containsExactly("after", "42\n");
        assertThat(new String(cell.output().view().kept())).isEqualTo("before");
    }

    @Test
    void a_chunk_that_comes_again_is_taken_once_and_acknowledged_again() {
        CellRun cell = run("a");
        List<Long> acknowledged = new ArrayList<>();
        port().process.receiving(acknowledged::add);
        byte[] bytes = ("{\"event\":\"stdout\",\"id\":\"" + lastId() + "\",\"text\":\"once\"}\n").getBytes();
        port().process.chunk(org.berth.placement.OutputStreamKind.STDOUT, 2, bytes, false, false);
        port().process.chunk(org.berth.placement.OutputStreamKind.STDOUT, 2, bytes, false, false);
        assertThat(acknowledged).containsExactly(2L, 2L);
        assertThat(new String(cell.output().view().kept())).isEqualTo("once");
    }
}
