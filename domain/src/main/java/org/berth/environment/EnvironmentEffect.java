package org.berth.environment;

import java.util.Arrays;
import java.util.Locale;
import org.berth.problem.BerthException;
import org.berth.problem.ProblemCode;

/** What may be done to a running environment. Wire names are the lower-case names with hyphens. */
public enum EnvironmentEffect {
    CLOSE_VIEWER,
    STOP_NATIVE,
    STOP_COMPUTE,
    DELETE_OWNED;

    /** The lower-case name with hyphens. */
    public String wire() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** @throws BerthException environment_effect_unsupported with status 400 for any other text */
    public static EnvironmentEffect of(Object wire) {
        return Arrays.stream(values())
                .filter(each -> each.wire().equals(wire))
                .findFirst()
                .orElseThrow(() -> new BerthException(
                        ProblemCode.ENVIRONMENT_EFFECT_UNSUPPORTED,
                        400,
                        "effect must be close-viewer, stop-native, stop-compute or delete-owned."));
    }
}
