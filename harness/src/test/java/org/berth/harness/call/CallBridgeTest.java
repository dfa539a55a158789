package org.berth.harness.call;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.berth.harness.Bridge;
import org.berth.harness.call.model.CallModel;
import org.berth.harness.output.OutputLimits;
import org.berth.harness.output.Truncation;
import org.berth.harness.output.model.OutputModel;
import org.junit.jupiter.api.Test;

/** Calls with their journal and an observer, and the model, give the same transcript, byte for byte. */
class CallBridgeTest {
    private static final int SCENARIOS = 400;

    private enum Rule {
        REPORT,
        LATE_REPORT,
        OBSERVED_FROM_THE_MIDDLE,
        RETURNED,
        FAILED,
        ABORTED,
        ABORTED_AFTER_A_FAILED_SETTLE,
        SECOND_END,
        TRUNCATED,
        OPT_OUT
    }

    private sealed interface Step {
        record Start(String id, Optional<OutputModel.Cap> cap) implements Step {}

        record Write(int call, byte[] bytes) implements Step {}

        record Warn(int call, String warning) implements Step {}

        record Use(int call, String name, long amount) implements Step {}

        record End(int call, CallOutcome outcome, boolean commits) implements Step {}

        record Watch() implements Step {}
    }

    @Test
    void the_calls_equal_their_model() {
        new Bridge<>(CallBridgeTest.class, Rule.class).run(SCENARIOS, (random, bridge) -> {
            List<Step> script = script(random);
            assertThat(String.join("\n", real(script))).isEqualTo(String.join("\n", model(script, bridge)));
        });
    }

    private static List<Step> script(Random random) {
        List<Step> script = new ArrayList<>();
        List<CallOutcome> outcomes =
                List.of(new CallOutcome.Returned(), new CallOutcome.Failed("no"), new CallOutcome.Aborted("stop"));
        int watchAt = random.nextInt(12);
        int calls = 0;
        int length = 12 + random.nextInt(20);
        for (int i = 0; i < length; i++) {
            if (i == watchAt) {
                script.add(new Step.Watch());
            }
            int kind = random.nextInt(12);
            if (calls == 0 || kind == 0) {
                Optional<OutputModel.Cap> cap = random.nextInt(4) == 0
                        ? Optional.empty()
                        : Optional.of(new OutputModel.Cap(random.nextInt(30), 9, random.nextBoolean()));
                script.add(new Step.Start("c" + calls++, cap));
                continue;
            }
            int call = random.nextInt(calls);
            byte[] bytes = new byte[random.nextInt(16)];
            random.nextBytes(bytes);
            script.add(
                    switch (kind) {
                        case 1, 2, 3, 4 -> new Step.Write(call, bytes);
                        case 5, 6 -> new Step.Warn(call, "w" + random.nextInt(99));
                        case 7, 8 -> new Step.Use(call, "u" + random.nextInt(3), random.nextInt(9));
                        default -> new Step.End(call, outcomes.get(random.nextInt(3)), random.nextBoolean());
                    });
        }
        return script;
    }

    private static List<String> real(List<Step> script) {
        Journal journal = new Journal();
        ProgressBoard board = new ProgressBoard();
        ToolCalls calls = new ToolCalls(journal, board);
        List<ToolCall> all = new ArrayList<>();
        List<String> heard = new ArrayList<>();
        for (Step step : script) {
            journal.fails = false;
            switch (step) {
                case Step.Start start ->
                    all.add(calls.start(new CallStart(start.id, "bash", "{}"), truncation(start.cap)));
                case Step.Write write -> all.get(write.call).output(write.bytes, 0, write.bytes.length);
                case Step.Warn warn -> all.get(warn.call).warn(warn.warning);
                case Step.Use use -> all.get(use.call).use(Usage.of(use.name, use.amount));
                case Step.End end -> {
                    journal.fails = !end.commits;
                    try {
                        all.get(end.call).settle(end.outcome);
                    } catch (IllegalStateException e) {
                        assertThat(end.commits).isFalse();
                    }
                }
                case Step.Watch watch -> board.watch(event -> heard.add(Journal.text(event)));
            }
        }
        List<String> transcript = new ArrayList<>(journal.records);
        transcript.addAll(heard);
        return transcript;
    }

    private static Truncation truncation(Optional<OutputModel.Cap> cap) {
        return cap.<Truncation>map(c -> new Truncation.On(new OutputLimits(
                        c.bytes(), c.lines(), c.head() ? OutputLimits.Keep.HEAD : OutputLimits.Keep.TAIL)))
                .orElseGet(Truncation.Off::new);
    }

    private static List<String> model(List<Step> script, Bridge<Rule> bridge) {
        List<CallModel> calls = new ArrayList<>();
        List<String> records = new ArrayList<>();
        List<String> heard = new ArrayList<>();
        boolean watches = false;
        for (Step step : script) {
            String hears = switch (step) {
                case Step.Start start -> {
                    calls.add(CallModel.started(start.id, OutputModel.empty(start.cap)));
                    records.add("start " + start.id + " bash");
                    yield "started " + start.id + " bash";
                }
                case Step.Write write ->
                    report(
                            calls,
                            write.call,
                            calls.get(write.call).wrote(boxed(write.bytes)),
                            HexFormat.of().formatHex(write.bytes),
                            bridge);
                case Step.Warn warn ->
                    report(calls, warn.call, calls.get(warn.call).warned(warn.warning), warn.warning, bridge);
                case Step.Use use ->
                    report(
                            calls,
                            use.call,
                            calls.get(use.call).used(use.name, use.amount),
                            "{" + use.name + "=" + use.amount + "}",
                            bridge);
                case Step.End end -> end(calls, end, records, bridge);
                case Step.Watch watch -> {
                    List<String> running = calls.stream()
                            .filter(call -> call.state() != CallModel.State.SETTLED)
                            .map(CallBridgeTest::text)
                            .toList();
                    if (!running.isEmpty()) {
                        bridge.reached(Rule.OBSERVED_FROM_THE_MIDDLE);
                    }
                    watches = true;
                    yield "running " + running;
                }
            };
            if (watches && !hears.isEmpty()) {
                heard.add(hears);
            }
        }
        records.addAll(heard);
        return records;
    }

    private static String report(
            List<CallModel> calls, int call, CallModel.Step step, String what, Bridge<Rule> bridge) {
        calls.set(call, step.next());
        bridge.reached(step.heard() ? Rule.REPORT : Rule.LATE_REPORT);
        return step.heard() ? "changed " + step.next().id() + " " + what : "";
    }

    private static String end(List<CallModel> calls, Step.End end, List<String> records, Bridge<Rule> bridge) {
        CallModel before = calls.get(end.call);
        CallModel.Step step = before.ends(end.commits);
        calls.set(end.call, step.next());
        if (before.state() == CallModel.State.SETTLED) {
            bridge.reached(Rule.SECOND_END);
        }
        if (!step.recorded()) {
            return "";
        }
        records.add("settle " + end.outcome + " " + text(step.next()));
        bridge.reached(
                switch (end.outcome) {
                    case CallOutcome.Returned returned -> Rule.RETURNED;
                    case CallOutcome.Failed failed -> Rule.FAILED;
                    case CallOutcome.Aborted aborted ->
                        before.state() == CallModel.State.CLOSED ? Rule.ABORTED_AFTER_A_FAILED_SETTLE : Rule.ABORTED;
                });
        if (before.output().cap().isEmpty()) {
            bridge.reached(Rule.OPT_OUT);
        } else if (before.output().dropped() > 0) {
            bridge.reached(Rule.TRUNCATED);
        }
        return "ended " + before.id();
    }

    private static String text(CallModel call) {
        byte[] kept = new byte[call.output().kept().size()];
        for (int i = 0; i < kept.length; i++) {
            kept[i] = call.output().kept().get(i);
        }
        return call.id() + " " + HexFormat.of().formatHex(kept) + " "
                + call.output().dropped() + " " + call.warnings() + " " + call.usage();
    }

    private static List<Byte> boxed(byte[] bytes) {
        Byte[] boxed = new Byte[bytes.length];
        for (int i = 0; i < bytes.length; i++) {
            boxed[i] = bytes[i];
        }
        return Arrays.asList(boxed);
    }
}
