package org.berth.harness.service;

import java.util.Map;
import java.util.Set;
import org.berth.harness.output.OutputLimits;
import org.berth.harness.output.Truncation;
import org.berth.harness.session.HarnessSession;
import org.berth.json.StrictJson;
import org.berth.placement.CanonicalJson;
import org.berth.placement.Wire;
import org.berth.problem.BerthException;

/** The settings of a session as they are recorded and as clients write them. */
public final class SessionSettings {
    private SessionSettings() {}

    public static Truncation truncation(HarnessSession session) {
        return truncation(StrictJson.object("{\"truncation\":" + session.truncationJson() + "}")
                .get("truncation"));
    }

    static String json(Truncation truncation) {
        return CanonicalJson.write(SessionTrees.truncation(truncation));
    }

    /**
     * {@code "off"}, {@code "on"} or {@code {"on": {bytes?, lines?, keep?}}}.
     *
     * @throws BerthException INVALID, naming the field
     */
    public static Truncation truncation(Object value) {
        return switch (value) {
            case String word when word.equals("off") -> new Truncation.Off();
            case String word when word.equals("on") -> Truncation.DEFAULT;
            case Map<?, ?> tree
            when tree.size() == 1 && tree.get("on") instanceof Map<?, ?> on -> new Truncation.On(limits(on));
            case null, default ->
                throw BerthException.invalid("truncation must be \"off\" or {\"on\": {bytes, lines, keep}}");
        };
    }

    private static OutputLimits limits(Map<?, ?> on) {
        for (Object name : on.keySet()) {
            if (!Set.of("bytes", "lines", "keep").contains(name)) {
                throw BerthException.invalid("truncation.on has the fields bytes, lines and keep only");
            }
        }
        return new OutputLimits(
                number(on, "bytes", OutputLimits.DEFAULT.bytes(), OutputLimits.MOST_BYTES),
                number(on, "lines", OutputLimits.DEFAULT.lines(), Integer.MAX_VALUE),
                keep(on.get("keep")));
    }

    private static int number(Map<?, ?> on, String name, int ifAbsent, int most) {
        return switch (on.get(name)) {
            case null -> ifAbsent;
            case Long number when number >= 0 && number <= most -> number.intValue();
            default -> throw notInRange(name, most);
        };
    }

    private static BerthException notInRange(String name, int most) {
        return BerthException.invalid("truncation.on." + name + " must be a whole number from 0 to " + most);
    }

    private static OutputLimits.Keep keep(Object word) {
        return word == null
                ? OutputLimits.DEFAULT.keep()
                : Wire.parse(OutputLimits.Keep.class, String.valueOf(word))
                        .orElseThrow(() -> BerthException.invalid("truncation.on.keep must be head or tail"));
    }
}
