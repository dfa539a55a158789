package org.berth.preparer.service;

import java.util.List;
import org.berth.driver.AgentDriver;

/** The arguments that tell an agent's program which further directories it may write. Pure. Source: placement.md, Provider homes. */
public final class WritableRoots {
    private WritableRoots() {}

    /**
     * Empty when no preparer contributed a root, when the working directory may not be written, or when the profile or
     * the policy has no edit mode; the driver knows the rest.
     *
     * @param edits whether the policy lets the agent edit
     */
    public static List<String> arguments(AgentDriver driver, String profile, boolean edits, Directories directories) {
        boolean needless = directories.writableRoots().isEmpty() || !directories.writable() || !edits;
        return needless ? List.of() : List.copyOf(driver.writableRoots(profile, true, directories.writableRoots()));
    }
}
