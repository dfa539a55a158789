package org.berth.environment;

import java.util.Objects;
import java.util.Optional;
import org.berth.problem.BerthException;
import org.berth.problem.ProblemCode;

/**
 * Which conversation a launch goes on with: exactly the one that its compute was recreated for, or a fresh one on compute
 * that never was recreated. There is no third answer. Source: the reference's startup, retained resume.
 */
public final class ExactResume {
    private ExactResume() {}

    /**
     * What a launch meets.
     *
     * @param binding bound to a node
     * @param generation the launch's generation; null when it is not chosen yet
     * @param recreation the newest one of the binding; null for none
     * @param checkpoint that of {@code recreation}; null when it is not there any more
     */
    public record Situation(
            EnvironmentBinding binding, String generation, Recreation recreation, EnvironmentCheckpoint checkpoint) {}

    /**
     * The checkpoint to go on with; empty for a fresh start. Its bytes are not verified by this.
     *
     * @throws BerthException environment_checkpoint_missing, environment_restore_selection_changed,
     *     environment_exact_resume_required, environment_checkpoint_identity_mismatch
     */
    public static Optional<EnvironmentCheckpoint> decide(Situation situation, ResumeSelection resume) {
        Recreation recreation = situation.recreation();
        if (recreation == null) {
            if (resume.resumes()) {
                throw new BerthException(
                        ProblemCode.ENVIRONMENT_CHECKPOINT_MISSING,
                        "A conversation is resumed on recreated compute with its checkpoint only; nothing was started.");
            }
            return Optional.empty();
        }
        boolean here = situation.binding().resource() != null
                && situation.binding().resource().id().equals(recreation.successorResourceId());
        if (!resume.resumes()) {
            if (here) {
                throw new BerthException(
                        ProblemCode.ENVIRONMENT_EXACT_RESUME_REQUIRED,
                        "This compute was recreated for the conversation " + recreation.nativeId()
                                + "; restore it. A fresh start is no restore.");
            }
            return Optional.empty();
        }
        boolean claimedByAnother = recreation.successorGeneration() != null
                && situation.generation() != null
                && !recreation.successorGeneration().equals(situation.generation());
        if (!here || claimedByAnother) {
            throw new BerthException(
                    ProblemCode.ENVIRONMENT_RESTORE_SELECTION_CHANGED,
                    "The recreated compute or its launch generation is another; nothing was started.");
        }
        requireIdentity(situation, resume);
        return Optional.of(situation.checkpoint());
    }

    private static void requireIdentity(Situation situation, ResumeSelection resume) {
        EnvironmentBinding binding = situation.binding();
        Recreation recreation = situation.recreation();
        EnvironmentCheckpoint checkpoint = situation.checkpoint();
        boolean saved = checkpoint != null
                && binding.bindingId().equals(checkpoint.bindingId())
                && Objects.equals(binding.config().nodeId(), checkpoint.nodeId())
                && binding.config().seat().equals(checkpoint.seat())
                && checkpoint.predecessorResourceId().equals(recreation.predecessorResourceId())
                && checkpoint.nativeId().equals(recreation.nativeId());
        if (!saved) {
            throw mismatch("The saved checkpoint does not belong to this seat and its predecessor.");
        }
        if (resume.snapshot() != null && !resume.snapshot().selects(checkpoint)) {
            throw mismatch("The snapshot names another binding, compute or checkpoint.");
        }
        if (!checkpoint.nativeId().equals(resume.token())
                || !checkpoint.nativeType().equals(resume.type())) {
            throw mismatch("The conversation that was asked for is not the one that is kept.");
        }
    }

    private static BerthException mismatch(String sentence) {
        return new BerthException(
                ProblemCode.ENVIRONMENT_CHECKPOINT_IDENTITY_MISMATCH, sentence + " Nothing was started.");
    }
}
