package org.berth.startup;

import java.util.List;

/**
 * Everything that one seat starts with.
 *
 * @param model the native's model; null for its own choice
 * @param effort null for the native's own
 * @param permissionMode null for the native's own
 */
public record StartupPlan(
        List<StartupInput> inputs, List<StartupFile> files, String model, String effort, String permissionMode) {
    public StartupPlan {
        inputs = List.copyOf(inputs);
        files = List.copyOf(files);
    }
}
