package org.berth.environment.local;

import java.time.Duration;
import java.time.Instant;
import org.berth.environment.EnvironmentRules;

/** The phase of an environment, from what is observed of it. */
enum LocalPhase {
    PENDING("Pending"),
    READY(EnvironmentRules.READY),
    STOPPED(EnvironmentRules.STOPPED),
    ERROR("Error");

    /** How long an environment may be without its helper, and a record without its process. */
    static final Duration PATIENCE = Duration.ofSeconds(30);

    private final String wire;

    LocalPhase(String wire) {
        this.wire = wire;
    }

    String wire() {
        return wire;
    }

    /**
     * @param initAlive whether the recorded first process runs
     * @param helperConnected whether the helper is on the line
     */
    static LocalPhase of(LocalRecord observed, boolean initAlive, boolean helperConnected, Instant now) {
        if (observed.init() != null && !initAlive) {
            return STOPPED;
        }
        if (initAlive && helperConnected) {
            return READY;
        }
        return now.isBefore(observed.createdAt().plus(PATIENCE)) ? PENDING : ERROR;
    }
}
