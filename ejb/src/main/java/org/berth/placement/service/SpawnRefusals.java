package org.berth.placement.service;

import java.util.Locale;
import org.berth.placement.EvidenceKind;
import org.berth.placement.SpawnOutcome;
import org.berth.problem.BerthException;
import org.berth.problem.ProblemCode;

/** What a refused spawn is called in evidence and towards the caller. */
final class SpawnRefusals {
    private SpawnRefusals() {}

    static EvidenceKind kind(SpawnOutcome.Reason reason) {
        return switch (reason) {
            case EXECUTABLE_CHANGED -> EvidenceKind.EXECUTABLE_CHANGED;
            case RESOURCE_LIMIT, SYSTEM -> EvidenceKind.CHILD_START_FAILED;
            case WORKING_DIRECTORY -> EvidenceKind.WORKDIR_FAILED;
            case EXECUTABLE_NOT_FOUND,
                    EXECUTABLE_IS_DIRECTORY,
                    EXECUTABLE_NOT_PERMITTED,
                    EXECUTABLE_EMPTY,
                    EXECUTABLE_FORMAT,
                    INTERPRETER_NOT_FOUND,
                    ARGUMENTS_TOO_LARGE,
                    CONTAINMENT_UNAVAILABLE,
                    NO_SPACE,
                    NONCE_MISMATCH,
                    FORGOTTEN,
                    RETIRING -> EvidenceKind.CHILD_REFUSED;
        };
    }

    static String word(SpawnOutcome.Reason reason) {
        return reason.name().toLowerCase(Locale.ROOT);
    }

    static BerthException problem(SpawnOutcome.Refused refused) {
        ProblemCode code = switch (refused.reason()) {
            case EXECUTABLE_CHANGED, NONCE_MISMATCH, FORGOTTEN -> ProblemCode.CONFLICT;
            case EXECUTABLE_NOT_FOUND,
                    EXECUTABLE_IS_DIRECTORY,
                    EXECUTABLE_NOT_PERMITTED,
                    EXECUTABLE_EMPTY,
                    EXECUTABLE_FORMAT,
                    INTERPRETER_NOT_FOUND,
                    ARGUMENTS_TOO_LARGE -> ProblemCode.INVALID;
            case WORKING_DIRECTORY -> ProblemCode.DENIED;
            case CONTAINMENT_UNAVAILABLE -> ProblemCode.UNSUPPORTED_CAPABILITY;
            case NO_SPACE, RESOURCE_LIMIT, RETIRING -> ProblemCode.UNAVAILABLE;
            case SYSTEM -> ProblemCode.INTERNAL;
        };
        return new BerthException(code, refused.sentence());
    }
}
