package org.berth.placement.service;

import org.berth.placement.Evidence;
import org.berth.problem.BerthException;

/** What ended a start before any child existed, with the evidence that records it. */
final class StartRefusal extends Exception {
    private static final long serialVersionUID = 1L;
    private final transient Evidence evidence;
    private final transient BerthException problem;
    private final boolean leavesUncertain;

    StartRefusal(Evidence evidence, BerthException problem) {
        this(evidence, problem, false);
    }

    private StartRefusal(Evidence evidence, BerthException problem, boolean leavesUncertain) {
        super(problem.getMessage(), problem);
        this.evidence = evidence;
        this.problem = problem;
        this.leavesUncertain = leavesUncertain;
    }

    /** What cannot be told, though no child exists: the attempt keeps its session's home until somebody looked. */
    static StartRefusal uncertain(Evidence evidence, BerthException problem) {
        return new StartRefusal(evidence, problem, true);
    }

    boolean leavesUncertain() {
        return leavesUncertain;
    }

    Evidence evidence() {
        return evidence;
    }

    BerthException problem() {
        return problem;
    }
}
