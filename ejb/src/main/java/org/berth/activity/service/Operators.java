package org.berth.activity.service;

import org.berth.access.Caller;
import org.berth.problem.BerthException;
import org.berth.problem.ProblemCode;

/** What only an operator may do. */
final class Operators {
    private Operators() {}

    /** @param does the end of "only an operator …" @throws BerthException FORBIDDEN */
    static void require(Caller caller, String does) {
        if (!caller.isOperator()) {
            throw new BerthException(ProblemCode.FORBIDDEN, "only an operator " + does);
        }
    }
}
