package org.berth.startup.service;

import org.berth.environment.ResumeSelection;
import org.berth.startup.StartupPlan;

/**
 * What a launch is asked for.
 *
 * @param generation the reserved occupant generation
 * @param resume the saved conversation; {@link ResumeSelection#NONE} for a fresh one
 * @param plan supplies model, effort and permission mode
 */
public record LaunchSelection(String generation, ResumeSelection resume, StartupPlan plan) {}
