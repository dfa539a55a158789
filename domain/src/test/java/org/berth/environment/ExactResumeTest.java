package org.berth.environment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.berth.environment.Environments.binding;
import static org.berth.environment.Environments.checkpoint;
import static org.berth.environment.Environments.resource;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.berth.problem.BerthException;
import org.berth.problem.ProblemCode;
import org.junit.jupiter.api.Test;

class ExactResumeTest {
    private static final EnvironmentBinding SUCCESSOR = binding(Ownership.OWNED, resource("r2", "env-1"));
    private static final Recreation RECREATION = Recreation.of("recreate-1", checkpoint(), resource("r2", "env-1"));
    private static final ResumeSelection EXACT =
            new ResumeSelection(checkpoint().nativeType(), checkpoint().nativeId(), null);
    private static final SnapshotReference REFERENCE = SnapshotReference.of(
                    binding(Ownership.OWNED, resource("r1", "env-0")), Optional.of(checkpoint()))
            .orElseThrow();

    private static Optional<EnvironmentCheckpoint> decide(Recreation recreation, ResumeSelection resume) {
        return ExactResume.decide(
                new ExactResume.Situation(SUCCESSOR, "generation-2", recreation, checkpoint()), resume);
    }

    private static void refused(ProblemCode code, ThrowingCallable rule) {
        assertThatThrownBy(rule)
                .isInstanceOfSatisfying(
                        BerthException.class, e -> assertThat(e.code()).isEqualTo(code));
    }

    @Test
    void compute_that_was_never_recreated_starts_fresh_and_resumes_nothing() {
        assertThat(decide(null, ResumeSelection.NONE)).isEmpty();
        refused(ProblemCode.ENVIRONMENT_CHECKPOINT_MISSING, () -> decide(null, EXACT));
    }

    @Test
    void recreated_compute_resumes_its_conversation_and_starts_nothing_fresh() {
        assertThat(decide(RECREATION, EXACT)).contains(checkpoint());
        assertThat(decide(RECREATION.launchedAs("generation-2"), EXACT)).contains(checkpoint());
        refused(ProblemCode.ENVIRONMENT_EXACT_RESUME_REQUIRED, () -> decide(RECREATION, ResumeSelection.NONE));
        refused(
                ProblemCode.ENVIRONMENT_EXACT_RESUME_REQUIRED,
                () -> decide(RECREATION.launchedAs("generation-3"), ResumeSelection.NONE));
    }

    @Test
    void one_generation_only_launches_the_successor() {
        refused(
                ProblemCode.ENVIRONMENT_RESTORE_SELECTION_CHANGED,
                () -> decide(RECREATION.launchedAs("generation-3"), EXACT));
    }

    @Test
    void other_compute_than_the_recreated_resumes_nothing() {
        EnvironmentBinding other = binding(Ownership.OWNED, resource("r9", "env-1"));
        refused(
                ProblemCode.ENVIRONMENT_RESTORE_SELECTION_CHANGED,
                () -> ExactResume.decide(
                        new ExactResume.Situation(other, "generation-2", RECREATION, checkpoint()), EXACT));
    }

    @Property
    void no_other_type_or_conversation_is_resumed(@ForAll String type, @ForAll String token) {
        refused(
                ProblemCode.ENVIRONMENT_CHECKPOINT_IDENTITY_MISMATCH,
                () -> decide(RECREATION, new ResumeSelection(type, checkpoint().nativeId(), null)));
        refused(
                ProblemCode.ENVIRONMENT_CHECKPOINT_IDENTITY_MISMATCH,
                () -> decide(RECREATION, new ResumeSelection(checkpoint().nativeType(), token, null)));
    }

    @Test
    void a_checkpoint_that_is_gone_resumes_nothing() {
        refused(
                ProblemCode.ENVIRONMENT_CHECKPOINT_IDENTITY_MISMATCH,
                () -> ExactResume.decide(
                        new ExactResume.Situation(SUCCESSOR, "generation-2", RECREATION, null), EXACT));
    }

    @Test
    void a_snapshot_that_names_anything_else_resumes_nothing() {
        assertThat(decide(RECREATION, with(REFERENCE))).contains(checkpoint());
        for (String name : new String[] {
            "bindingId", "resourceId", "checkpointId", "nativeId", "nativeType", "destinationCwd", "nativeState"
        }) {
            Map<String, Object> tree = new LinkedHashMap<>(REFERENCE.tree());
            tree.put(name, "other");
            refused(
                    ProblemCode.ENVIRONMENT_CHECKPOINT_IDENTITY_MISMATCH,
                    () -> decide(RECREATION, with(SnapshotReference.of(tree))));
        }
    }

    @Test
    void a_reference_is_read_back_whole_and_holds_no_conversation() {
        assertThat(SnapshotReference.of(REFERENCE.tree())).isEqualTo(REFERENCE);
        assertThat(REFERENCE.tree())
                .containsEntry("resourceId", "r1")
                .containsEntry("checkpointId", "checkpoint-1")
                .containsEntry("nativeState", "/sandbox/openrig/native");
        assertThat(SnapshotReference.of(binding(Ownership.OWNED, null), Optional.empty()))
                .isEmpty();
    }

    private static ResumeSelection with(SnapshotReference reference) {
        return new ResumeSelection(EXACT.type(), EXACT.token(), reference);
    }
}
