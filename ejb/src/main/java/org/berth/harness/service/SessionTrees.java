package org.berth.harness.service;

import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import org.berth.harness.call.Usage;
import org.berth.harness.job.JobEnd;
import org.berth.harness.output.OutputLimits;
import org.berth.harness.output.OutputView;
import org.berth.harness.output.Truncation;
import org.berth.placement.Wire;

/** Parts of sessions as JSON trees, as they are recorded and as clients see them. */
public final class SessionTrees {
    private SessionTrees() {}

    static Map<String, Object> usage(Usage usage) {
        return new LinkedHashMap<>(usage.amounts());
    }

    /** {@code "off"}, or {@code {"on": {bytes, lines, keep}}}. */
    public static Object truncation(Truncation truncation) {
        return switch (truncation) {
            case Truncation.Off _ -> "off";
            case Truncation.On(OutputLimits limits) -> {
                Map<String, Object> on = new LinkedHashMap<>();
                on.put("bytes", (long) limits.bytes());
                on.put("lines", (long) limits.lines());
                on.put("keep", Wire.name(limits.keep()));
                yield new LinkedHashMap<>(Map.of("on", on));
            }
        };
    }

    /** What is kept of an output; {@code artifact} is where all of it is, null where nothing was dropped. */
    public static void output(Map<String, Object> into, OutputView view, String artifact) {
        into.put("output", view.text());
        into.put("outputBase64", Base64.getEncoder().encodeToString(view.kept()));
        into.put("keptBytes", (long) view.kept().length);
        into.put("droppedBytes", view.droppedBytes());
        into.put("artifact", artifact);
    }

    /** How a job ended, by its own members. */
    public static void end(Map<String, Object> into, JobEnd end) {
        switch (end) {
            case JobEnd.Exited exited -> into.put("exitCode", (long) exited.code());
            case JobEnd.Killed _ -> into.put("killed", true);
            case JobEnd.Unknown unknown -> into.put("unknown", unknown.reason());
        }
    }
}
