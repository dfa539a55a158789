package org.berth.work;

import org.berth.problem.ProblemCode;

/** What the lifecycle answers to a change. */
public sealed interface WorkDecision {
    /** To be stored: the item as it is afterwards, and its new transition. */
    record Apply(WorkItem item, WorkTransition transition) implements WorkDecision {}

    /** The item is so already. */
    record Already(WorkItem item) implements WorkDecision {}

    /** Not allowed; nothing changes. */
    record Refuse(ProblemCode code, String sentence) implements WorkDecision {}
}
