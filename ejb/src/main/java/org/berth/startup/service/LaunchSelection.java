package org.berth.startup.service;

import org.berth.startup.StartupPlan;

/**
 * What a launch is asked for.
 *
 * @param generation the reserved occupant generation
 * @param resumeType the saved conversation's type; null for a fresh one
 * @param resumeToken the saved conversation's id; null for a fresh one
 * @param plan supplies model, effort and permission mode
 */
public record LaunchSelection(String generation, String resumeType, String resumeToken, StartupPlan plan) {
    boolean resumes() {
        return resumeType != null || resumeToken != null;
    }
}
