package org.berth.harness.service;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.berth.harness.call.CallJournal;
import org.berth.harness.call.CallOutcome;
import org.berth.harness.call.CallSettle;
import org.berth.harness.call.CallStart;
import org.berth.harness.call.ProgressBoard;
import org.berth.harness.call.ToolCalls;
import org.berth.harness.output.OutputLimits;
import org.berth.harness.output.Truncation;
import org.berth.problem.BerthException;
import org.junit.jupiter.api.Test;

class CallRunTest {
    private static final Truncation TEN = new Truncation.On(new OutputLimits(10, 100, OutputLimits.Keep.HEAD));

    private final List<CallSettle> settled = new ArrayList<>();
    private int failures;
    private final CallRun run = new CallRun(
            "call-1",
            new ToolCalls(
                            new CallJournal() {
                                @Override
                                public void start(CallStart start) {
                                    assertThat(start.tool()).isEqualTo("tool");
                                }

                                @Override
                                public void settle(CallSettle settle) {
                                    if (failures-- > 0) {
                                        throw new IllegalStateException("not committed");
                                    }
                                    settled.add(settle);
                                }
                            },
                            new ProgressBoard())
                    .start(new CallStart("call-1", "tool", "{}"), TEN),
            TEN);

    private Map<String, Object> answer() {
        return run.answer().join();
    }

    @Test
    void a_tool_that_answers_settles_with_all_it_reported() {
        run.run(call -> {
            call.output(CallRun.bytes("some"));
            call.warn("careful");
            return CompletableFuture.completedStage(7L);
        });
        assertThat(answer())
                .containsEntry("status", "ok")
                .containsEntry("result", 7L)
                .containsEntry("warnings", List.of("careful"));
        assertThat(settled).hasSize(1);
        assertThat(settled.getFirst().progress().output().text()).isEqualTo("some");
        assertThat(settled.getFirst().progress().warnings()).containsExactly("careful");
    }

    @Test
    void a_tool_that_refuses_or_fails_is_an_answer_of_status_error() {
        run.run(call -> CompletableFuture.failedStage(new ToolRefusal("outside", Map.of("reason", "outside"))));
        assertThat(answer())
                .containsEntry("status", "error")
                .containsEntry("error", "outside")
                .containsEntry("result", Map.of("reason", "outside"));
        assertThat(settled.getFirst().outcome()).isEqualTo(new CallOutcome.Failed("outside"));
    }

    @Test
    void a_problem_of_the_server_is_told_with_its_own_sentence() {
        run.run(call -> {
            throw BerthException.unavailable("no kernel");
        });
        assertThat(answer()).containsEntry("status", "error").containsEntry("error", "no kernel");
    }

    @Test
    void an_abort_settles_with_what_was_reported_and_stops_the_work_and_a_late_result_changes_nothing() {
        CompletableFuture<Object> work = new CompletableFuture<>();
        List<String> stopped = new ArrayList<>();
        run.run(call -> {
            call.output(CallRun.bytes("so far"));
            call.onAbort(() -> stopped.add("stopped"));
            return work;
        });
        assertThat(run.abort("enough")).containsEntry("status", "aborted").containsEntry("error", "enough");
        work.complete("late");
        assertThat(stopped).containsExactly("stopped");
        assertThat(settled).hasSize(1);
        assertThat(settled.getFirst().progress().output().text()).isEqualTo("so far");
    }

    @Test
    void an_abort_after_the_end_answers_the_end() {
        run.run(call -> CompletableFuture.completedStage(1L));
        assertThat(run.abort("enough")).containsEntry("status", "ok");
        assertThat(settled).hasSize(1);
    }

    @Test
    void work_that_begins_after_the_abort_is_stopped_at_once() {
        run.abort("enough");
        List<String> stopped = new ArrayList<>();
        run.onAbort(() -> stopped.add("stopped"));
        assertThat(stopped).containsExactly("stopped");
    }

    @Test
    void an_end_that_was_not_recorded_is_recorded_as_given_up_with_the_same_progress() {
        failures = 1;
        run.run(call -> {
            call.output(CallRun.bytes("some"));
            return CompletableFuture.completedStage(1L);
        });
        assertThat(run.answer()).isCompletedExceptionally();
        assertThat(settled).hasSize(1);
        assertThat(settled.getFirst().outcome()).isInstanceOf(CallOutcome.Aborted.class);
        assertThat(settled.getFirst().progress().output().text()).isEqualTo("some");
    }

    @Test
    void a_result_past_the_bound_is_told_as_the_part_that_is_kept() {
        run.run(call -> CompletableFuture.completedStage("0123456789abcdef"));
        assertThat(answer().get("result"))
                .asInstanceOf(org.assertj.core.api.InstanceOfAssertFactories.map(String.class, Object.class))
                .containsEntry("output", "\"012345678")
                .containsEntry("droppedBytes", 8L);
    }
}
