package org.berth.harness.job;

import java.util.Collection;
import java.util.Optional;

/** The section on running jobs in a session's prompt context. Source: harness.md, S2. */
public final class RunningJobs {
    /** The name of the section. */
    public static final String SECTION = "running-jobs";

    private RunningJobs() {}

    /**
     * The section's text: the number and the ids of the job documents; empty, so that the section is absent, while there is
     * none.
     */
    public static Optional<String> section(Collection<String> ids) {
        if (ids.isEmpty()) {
            return Optional.empty();
        }
        String jobs = ids.size() == 1 ? "1 job is running: " : ids.size() + " jobs are running: ";
        return Optional.of(jobs + String.join(", ", ids));
    }
}
