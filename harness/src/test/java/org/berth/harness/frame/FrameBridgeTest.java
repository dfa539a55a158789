package org.berth.harness.frame;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.berth.harness.Bridge;
import org.berth.harness.frame.model.GateModel;
import org.berth.harness.frame.model.ModelAnswer;
import org.berth.harness.frame.model.ModelLine;
import org.junit.jupiter.api.Test;

/** The gate and its model give the same transcript, byte for byte. */
class FrameBridgeTest {
    private static final int SCENARIOS = 600;
    private static final FrameLimits LIMITS = new FrameLimits(300, 120, 4);
    private static final Set<String> SERVED = Set.of("fs.read", "rlm.run", "rlm.run.fails");

    private enum Rule {
        SERVED,
        AT_THE_LIMIT,
        OVERSIZED,
        NOT_SERVED,
        NO_TYPE,
        DUPLICATE_IN_FLIGHT,
        DUPLICATE_SETTLED,
        REUSED_AFTER_FORGETTING,
        EVENT,
        EVENT_DROPPED,
        NOT_A_FRAME,
        NOT_UTF8,
        OVERSIZED_GARBAGE,
        PASSED_OVER
    }

    private static ModelLine line(Random random) {
        long count = switch (random.nextInt(6)) {
            case 0 -> LIMITS.lineBytes();
            case 1 -> LIMITS.lineBytes() + 1;
            case 2 -> LIMITS.lineBytes() + 1 + random.nextInt(900);
            default -> 110 + random.nextInt(190);
        };
        int kind = random.nextInt(40);
        if (kind == 0) {
            return new ModelLine.Garbage(random.nextBoolean(), random.nextBoolean() ? count : 1 + random.nextInt(30));
        }
        if (kind < 10) {
            List<String> names = List.of("stdout", "stderr", "display", "result", "done", "error", "ready");
            String name = names.get(random.nextInt(names.size()));
            return new ModelLine.Event(name, count);
        }
        List<Optional<String>> types = List.of(
                Optional.of("fs.read"),
                Optional.of("rlm.run"),
                Optional.of("rlm.run.fails"),
                Optional.of("fs.read"),
                Optional.of("fs.none"),
                Optional.empty());
        return new ModelLine.Request("id" + random.nextInt(9), types.get(random.nextInt(types.size())), count);
    }

    @Test
    void the_gate_equals_its_model() {
        Bridge<Rule> bridge = new Bridge<>(FrameBridgeTest.class, Rule.class);
        bridge.run(SCENARIOS, FrameBridgeTest::scenario);
    }

    private static void scenario(Random random, Bridge<Rule> bridge) {
        List<ModelLine> lines = new ArrayList<>();
        List<List<Integer>> endings = new ArrayList<>();
        int count = 1 + random.nextInt(25);
        for (int i = 0; i < count; i++) {
            lines.add(line(random));
            List<Integer> ends = new ArrayList<>();
            while (random.nextInt(3) == 0) {
                ends.add(random.nextInt(1000));
            }
            endings.add(ends);
        }
        Host host = new Host(LIMITS, SERVED);
        host.afterDecision = index -> {
            for (int end : endings.get(index)) {
                if (!host.waiting.isEmpty()) {
                    host.runWaiting(end % host.waiting.size());
                }
            }
        };
        host.feed(
                Wire.stream(lines.stream().map(line -> Wire.bytes(line, random)).toList()),
                random,
                random.nextBoolean() ? 7 : 1000);
        host.runAll();
        assertThat(String.join("\n", host.transcript)).isEqualTo(String.join("\n", model(lines, endings, bridge)));
    }

    private static List<String> model(List<ModelLine> lines, List<List<Integer>> endings, Bridge<Rule> bridge) {
        GateModel gate = GateModel.fresh(new GateModel.ModelLimits(LIMITS.lineBytes(), LIMITS.rememberedIds(), SERVED));
        List<String> transcript = new ArrayList<>();
        List<ModelAnswer.Runs> waiting = new ArrayList<>();
        List<String> used = new ArrayList<>();
        for (int i = 0; i < lines.size(); i++) {
            GateModel.Step step = gate.step(lines.get(i));
            count(lines.get(i), step.answer(), gate, used, bridge);
            gate = step.next();
            switch (step.answer()) {
                case ModelAnswer.Runs runs -> {
                    transcript.add("run " + runs.id() + " " + runs.type());
                    waiting.add(runs);
                }
                case ModelAnswer.Replies reply ->
                    transcript.add(reply(reply.id(), reply.status(), "error", reply.error()));
                case ModelAnswer.Passes passes -> transcript.add("pass " + passes.event());
                case ModelAnswer.Drops drops -> transcript.add("drop " + drops.event());
                case ModelAnswer.Faults faults -> transcript.add("fault " + faults.reason());
                case ModelAnswer.PassedOver passedOver -> {
                    continue;
                }
            }
            for (int end : endings.get(i)) {
                if (!waiting.isEmpty()) {
                    gate = settle(gate, waiting.remove(end % waiting.size()), transcript);
                }
            }
        }
        while (!waiting.isEmpty()) {
            gate = settle(gate, waiting.removeFirst(), transcript);
        }
        return transcript;
    }

    private static GateModel settle(GateModel gate, ModelAnswer.Runs runs, List<String> transcript) {
        transcript.add(
                runs.type().endsWith(".fails")
                        ? reply(runs.id(), "error", "error", "no " + runs.id())
                        : reply(runs.id(), "ok", "result", "ran " + runs.id()));
        return gate.settled(runs.id());
    }

    private static String reply(String id, String status, String field, String text) {
        return "reply {\"type\":\"host_reply\",\"id\":\"" + id + "\",\"data\":{\"status\":\"" + status + "\",\"" + field
                + "\":\"" + text + "\"}}";
    }

    private static void count(
            ModelLine line, ModelAnswer answer, GateModel before, List<String> used, Bridge<Rule> bridge) {
        if (line instanceof ModelLine.Request request
                && line.byteCount() == LIMITS.lineBytes()
                && answer instanceof ModelAnswer.Runs) {
            bridge.reached(Rule.AT_THE_LIMIT);
            assertThat(request.type()).isPresent();
        }
        switch (answer) {
            case ModelAnswer.Runs runs -> {
                bridge.reached(used.contains(runs.id()) ? Rule.REUSED_AFTER_FORGETTING : Rule.SERVED);
                used.add(runs.id());
            }
            case ModelAnswer.Replies reply
            when reply.status().equals("duplicate") ->
                bridge.reached(
                        before.inFlight().contains(reply.id()) ? Rule.DUPLICATE_IN_FLIGHT : Rule.DUPLICATE_SETTLED);
            case ModelAnswer.Replies reply when line.byteCount() > LIMITS.lineBytes() -> bridge.reached(Rule.OVERSIZED);
            case ModelAnswer.Replies reply ->
                bridge.reached(((ModelLine.Request) line).type().isEmpty() ? Rule.NO_TYPE : Rule.NOT_SERVED);
            case ModelAnswer.Passes passes -> bridge.reached(Rule.EVENT);
            case ModelAnswer.Drops drops -> bridge.reached(Rule.EVENT_DROPPED);
            case ModelAnswer.Faults faults ->
                bridge.reached(
                        switch (faults.reason()) {
                            case "NOT_UTF8" -> Rule.NOT_UTF8;
                            case "NOT_A_FRAME" -> Rule.NOT_A_FRAME;
                            default -> Rule.OVERSIZED_GARBAGE;
                        });
            case ModelAnswer.PassedOver passedOver -> bridge.reached(Rule.PASSED_OVER);
        }
    }
}
