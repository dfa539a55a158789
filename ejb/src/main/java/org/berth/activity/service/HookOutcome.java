package org.berth.activity.service;

import org.berth.activity.ActivityEvent;
import org.berth.problem.BerthException;

/** What became of one post. */
public sealed interface HookOutcome {
    /** It is durable. */
    record Recorded(ActivityEvent event) implements HookOutcome {}

    /** Nothing of it was written. */
    record Refused(BerthException problem) implements HookOutcome {}
}
