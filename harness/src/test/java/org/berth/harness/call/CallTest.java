package org.berth.harness.call;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.berth.harness.output.Truncation;
import org.junit.jupiter.api.Test;

class CallTest {
    private final Journal journal = new Journal();
    private final ProgressBoard board = new ProgressBoard();
    private final ToolCalls calls = new ToolCalls(journal, board);

    private ToolCall start(String id) {
        return calls.start(new CallStart(id, "bash", "{}"), Truncation.DEFAULT);
    }

    private static void write(ToolCall call, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        call.output(bytes, 0, bytes.length);
    }

    @Test
    void aFailedSettleAndTheAbortAfterItReadTheSameProgress() {
        ToolCall call = start("c");
        List<String> heard = new ArrayList<>();
        write(call, "out");
        call.warn("careful");
        call.use(Usage.of("tokens", 3));
        journal.fails = true;
        assertThatThrownBy(() -> call.settle(new CallOutcome.Returned())).isInstanceOf(IllegalStateException.class);
        write(call, "late");
        call.warn("late");
        call.use(Usage.of("tokens", 9));
        board.watch(event -> heard.add(Journal.text(event)));
        journal.fails = false;
        assertThat(call.settle(new CallOutcome.Aborted("stop"))).isTrue();
        assertThat(call.settle(new CallOutcome.Returned())).isFalse();
        String progress = "c 6f7574 0 [careful] {tokens=3}";
        assertThat(heard).containsExactly("running [" + progress + "]", "ended c");
        assertThat(journal.records).containsExactly("start c bash", "settle Aborted[reason=stop] " + progress);
    }

    @Test
    void anObserverHearsTheRunningCallsFirstAndNothingOfACallAfterItsEnd() {
        ToolCall early = start("early");
        write(early, "a");
        List<String> heard = new ArrayList<>();
        Runnable leave = board.watch(event -> heard.add(Journal.text(event)));
        ToolCall late = start("late");
        write(early, "b");
        early.settle(new CallOutcome.Returned());
        write(early, "c");
        leave.run();
        write(late, "d");
        assertThat(heard)
                .containsExactly("running [early 61 0 [] {}]", "started late bash", "changed early 62", "ended early");
    }

    @Test
    void anObserverThatFailsIsToldNothingMoreAndDisturbsNobody() {
        ToolCall call = start("c");
        List<String> told = new ArrayList<>();
        List<String> heard = new ArrayList<>();
        board.watch(event -> {
            told.add(Journal.text(event));
            if (event instanceof BoardEvent.Changed) {
                throw new IllegalStateException("gone");
            }
        });
        board.watch(event -> heard.add(Journal.text(event)));
        write(call, "a");
        write(call, "b");
        assertThat(told).hasSize(2);
        assertThat(heard).hasSize(3);
    }

    @Test
    void aLateReportOfAnEndedCallDoesNotReachANewOneWithItsId() {
        ToolCall first = start("c");
        first.settle(new CallOutcome.Returned());
        ToolCall second = start("c");
        write(first, "late");
        second.settle(new CallOutcome.Returned());
        assertThat(journal.records.getLast()).isEqualTo("settle Returned[] c  0 [] {}");
    }

    @Test
    void aStartThatIsNotRecordedIsNoCall() {
        journal.fails = true;
        assertThatThrownBy(() -> start("c")).isInstanceOf(IllegalStateException.class);
        List<String> heard = new ArrayList<>();
        board.watch(event -> heard.add(Journal.text(event)));
        assertThat(heard).containsExactly("running []");
        journal.fails = false;
        start("c");
        assertThatIllegalArgumentException().isThrownBy(() -> start("c"));
        assertThat(journal.records).containsExactly("start c bash");
    }
}
