package org.berth.harness.call;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.berth.harness.output.OutputView;
import org.berth.harness.output.Outputs;
import org.berth.harness.output.Truncation;

/** The laws of tool calls, over any reports and ends in any order, whether their commits hold or not. */
class CallLawsTest {
    /** What a call may do. */
    sealed interface Event {
        record Writes(byte[] bytes) implements Event {}

        record Warns(String warning) implements Event {}

        record Uses(String name, long amount) implements Event {}

        record Ends(CallOutcome outcome, boolean commits) implements Event {}
    }

    @Provide
    Arbitrary<List<Event>> events() {
        Arbitrary<Event> writes = Outputs.chunks().map(Outputs::joined).map(Event.Writes::new);
        Arbitrary<Event> warns = Arbitraries.of("w1", "w2", "w3").map(Event.Warns::new);
        Arbitrary<Event> uses =
                Arbitraries.longs().between(0, 9).map(amount -> new Event.Uses("u" + amount % 3, amount));
        Arbitrary<Event> ends = Arbitraries.of(
                new Event.Ends(new CallOutcome.Returned(), true),
                new Event.Ends(new CallOutcome.Returned(), false),
                new Event.Ends(new CallOutcome.Failed("no"), true),
                new Event.Ends(new CallOutcome.Aborted("stop"), true),
                new Event.Ends(new CallOutcome.Aborted("stop"), false));
        return Arbitraries.oneOf(writes, writes, warns, uses, ends).list().ofMaxSize(14);
    }

    @Provide
    Arbitrary<Truncation> truncations() {
        return Arbitraries.oneOf(Outputs.limits().map(Truncation.On::new), Arbitraries.just(new Truncation.Off()));
    }

    /** One call that was run, and what came of it. */
    private static final class Run {
        final Journal journal = new Journal();
        final List<String> heard = new ArrayList<>();
        final ProgressBoard board = new ProgressBoard();
        final List<Integer> recordsAfterEach = new ArrayList<>();

        Run(List<Event> events, Truncation truncation) {
            board.watch(event -> heard.add(Journal.text(event)));
            ToolCall call = new ToolCalls(journal, board).start(new CallStart("c", "bash", "{}"), truncation);
            for (Event event : events) {
                switch (event) {
                    case Event.Writes writes -> call.output(writes.bytes, 0, writes.bytes.length);
                    case Event.Warns warns -> call.warn(warns.warning);
                    case Event.Uses uses -> call.use(Usage.of(uses.name, uses.amount));
                    case Event.Ends ends -> {
                        journal.fails = !ends.commits;
                        try {
                            call.settle(ends.outcome);
                        } catch (IllegalStateException e) {
                            assertThat(ends.commits).isFalse();
                        }
                    }
                }
                recordsAfterEach.add(journal.records.size());
            }
        }
    }

    private static int firstCommittedEnd(List<Event> events) {
        for (int i = 0; i < events.size(); i++) {
            if (events.get(i) instanceof Event.Ends ends && ends.commits) {
                return i;
            }
        }
        return events.size();
    }

    @Property
    void stream_journals_two(@ForAll("events") List<Event> events, @ForAll("truncations") Truncation truncation) {
        Run run = new Run(events, truncation);
        assertThat(run.journal.records).hasSizeBetween(1, 2);
        assertThat(run.journal.records.getFirst()).isEqualTo("start c bash");
        for (int i = 0; i < events.size(); i++) {
            if (!(events.get(i) instanceof Event.Ends)) {
                assertThat(run.recordsAfterEach.get(i)).isEqualTo(i == 0 ? 1 : run.recordsAfterEach.get(i - 1));
            }
        }
        assertThat(run.journal.records.stream().skip(1)).allMatch(record -> record.startsWith("settle"));
    }

    @Property
    void stream_settles_once(@ForAll("events") List<Event> events, @ForAll("truncations") Truncation truncation) {
        Run run = new Run(events, truncation);
        int end = firstCommittedEnd(events);
        for (int i = 0; i < events.size(); i++) {
            assertThat(run.recordsAfterEach.get(i)).isEqualTo(i < end ? 1 : 2);
        }
        if (end < events.size()) {
            assertThat(run.journal.settles)
                    .extracting(CallSettle::outcome)
                    .containsExactly(((Event.Ends) events.get(end)).outcome);
            assertThat(run.heard.getLast()).isEqualTo("ended c");
        }
        assertThat(run.heard.stream().filter(each -> each.equals("ended c"))).hasSize(end < events.size() ? 1 : 0);
    }

    @Property
    void stream_settle_carries_all(@ForAll("events") List<Event> events, @ForAll("truncations") Truncation truncation) {
        List<Event> all = new ArrayList<>(events);
        all.add(new Event.Ends(new CallOutcome.Aborted("at last"), true));
        List<byte[]> bytes = new ArrayList<>();
        List<String> warnings = new ArrayList<>();
        SortedMap<String, Long> usage = new TreeMap<>();
        for (Event event : all) {
            switch (event) {
                case Event.Writes writes -> bytes.add(writes.bytes);
                case Event.Warns warns -> warnings.add(warns.warning);
                case Event.Uses uses -> usage.merge(uses.name, uses.amount, Long::sum);
                case Event.Ends ends -> {}
            }
            if (event instanceof Event.Ends) {
                break;
            }
        }
        CallProgress settled =
                new Run(all, truncation).journal.settles.getFirst().progress();
        byte[] written = Outputs.joined(bytes);
        OutputView output = settled.output();
        assertThat(output.producedBytes()).isEqualTo(written.length);
        if (truncation instanceof Truncation.Off) {
            assertThat(output.kept()).isEqualTo(written);
        } else {
            String text = new String(written, java.nio.charset.StandardCharsets.ISO_8859_1);
            String kept = new String(output.kept(), java.nio.charset.StandardCharsets.ISO_8859_1);
            assertThat(output.keptHead() ? text.startsWith(kept) : text.endsWith(kept))
                    .isTrue();
        }
        assertThat(settled.warnings()).isEqualTo(warnings);
        assertThat(settled.usage().amounts()).isEqualTo(usage);
    }
}
