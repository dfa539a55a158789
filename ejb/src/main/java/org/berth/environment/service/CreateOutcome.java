package org.berth.environment.service;

import org.berth.environment.BindingRecord;
import org.berth.problem.ProblemCode;

/** What became of a create. */
public sealed interface CreateOutcome {
    BindingRecord binding();

    /** This call made the environment and confirmed it. */
    record Created(BindingRecord binding) implements CreateOutcome {}

    /** It was confirmed before, or was found now by the id of its effect. */
    record Existing(BindingRecord binding) implements CreateOutcome {}

    /** What became of it is not known yet; asking again reconciles it and never repeats it. */
    record Unconfirmed(BindingRecord binding, ProblemCode code) implements CreateOutcome {}
}
