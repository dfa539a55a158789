package org.berth.startup.service;

import java.util.List;
import java.util.Map;

/**
 * A launch whose native identity was observed.
 *
 * @param receipt what was recorded
 * @param viewer the attempt that shows the native's terminal; null when this call opened none
 */
public record LaunchOutcome(Map<String, Object> receipt, String viewer, List<String> warnings) {
    public LaunchOutcome {
        warnings = List.copyOf(warnings);
    }
}
