package org.berth.startup.service;

import java.util.List;
import java.util.Map;
import org.berth.environment.ContextDifference;

/**
 * A launch whose native identity was observed.
 *
 * @param receipt what was recorded
 * @param viewer the attempt that shows the native's terminal; null when this call opened none
 * @param context how what a restored seat reads differs from before; null when this call restored nothing
 */
public record LaunchOutcome(
        Map<String, Object> receipt, String viewer, List<String> warnings, ContextDifference context) {
    public LaunchOutcome {
        warnings = List.copyOf(warnings);
    }
}
