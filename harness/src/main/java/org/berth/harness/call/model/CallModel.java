package org.berth.harness.call.model;

import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.berth.harness.output.model.OutputModel;

/**
 * One call as the rules see it. Each step says what is recorded and what is heard.
 *
 * @param state where the call is
 */
public record CallModel(
        String id, State state, OutputModel output, List<String> warnings, SortedMap<String, Long> usage) {
    /** Running, ended without a committed settle, or settled. */
    public enum State {
        RUNNING,
        CLOSED,
        SETTLED
    }

    /** A call after a step, whether its settle was recorded, and whether observers hear of the step. */
    public record Step(CallModel next, boolean recorded, boolean heard) {}

    public CallModel {
        warnings = List.copyOf(warnings);
    }

    /** A call that has just started. */
    public static CallModel started(String id, OutputModel empty) {
        return new CallModel(id, State.RUNNING, empty, List.of(), new TreeMap<>());
    }

    /** It reports output. */
    public Step wrote(List<Byte> bytes) {
        return report(new CallModel(id, state, output.write(bytes), warnings, usage));
    }

    /** It reports a warning. */
    public Step warned(String warning) {
        List<String> more = new ArrayList<>(warnings);
        more.add(warning);
        return report(new CallModel(id, state, output, more, usage));
    }

    /** It reports usage. */
    public Step used(String name, long amount) {
        SortedMap<String, Long> sums = new TreeMap<>(usage);
        sums.put(name, sums.getOrDefault(name, 0L) + amount);
        return report(new CallModel(id, state, output, warnings, sums));
    }

    /** It ends, and its settle is committed or not. */
    public Step ends(boolean commits) {
        if (state == State.SETTLED) {
            return new Step(this, false, false);
        }
        State next = commits ? State.SETTLED : State.CLOSED;
        return new Step(new CallModel(id, next, output, warnings, usage), commits, commits);
    }

    private Step report(CallModel next) {
        return state == State.RUNNING ? new Step(next, false, true) : new Step(this, false, false);
    }
}
