package org.berth.environment;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.berth.environment.EffectOutcome.State;

class EffectRulesTest {
    private static final EnvironmentResource BOUND =
            new EnvironmentResource("id-1", "worker-one", "workspace", "Ready", "print", "env-1");

    @Property
    void a_deletion_is_confirmed_only_when_every_part_is_absent(
            @ForAll boolean workload, @ForAll boolean supervisor, @ForAll boolean volumes) {
        EffectOutcome outcome = EffectRules.deleted(new DependentObservation(workload, supervisor, volumes));
        assertThat(outcome.isConfirmed()).isEqualTo(!workload && !supervisor && !volumes);
        assertThat(outcome.remaining()).isEqualTo(new DependentObservation(workload, supervisor, volumes));
    }

    @Example
    void absence_of_which_nothing_was_captured_is_not_proven() {
        assertThat(EffectRules.deleted(null).state()).isEqualTo(State.UNCONFIRMED);
    }

    @Example
    void only_the_phase_Stopped_ends_compute() {
        assertThat(EffectRules.stopped("Stopped").state()).isEqualTo(State.CONFIRMED);
        assertThat(List.of("Ready", "Pending", "Error", "stopped"))
                .allSatisfy(
                        phase -> assertThat(EffectRules.stopped(phase).state()).isEqualTo(State.PENDING));
    }

    @Property
    void an_incomplete_listing_says_nothing(@ForAll boolean there) {
        assertThat(DeletionReconciliation.decide(
                        new EnvironmentListing(false, there ? List.of(BOUND) : List.of()), BOUND))
                .isInstanceOf(DeletionReconciliation.Incomplete.class);
    }

    @Example
    void a_complete_listing_without_id_and_name_shows_absence() {
        assertThat(DeletionReconciliation.decide(new EnvironmentListing(true, List.of(other("id-2", "b"))), BOUND))
                .isInstanceOf(DeletionReconciliation.Absent.class);
    }

    @Example
    void an_environment_that_lost_its_workload_is_still_the_bound_one() {
        EnvironmentResource rest = new EnvironmentResource("id-1", "worker-one", "workspace", "Error", null, "env-1");
        assertThat(DeletionReconciliation.decide(new EnvironmentListing(true, List.of(rest)), BOUND))
                .isEqualTo(new DeletionReconciliation.Present(rest));
    }

    @Example
    void another_environment_of_the_name_and_another_workload_of_the_id_are_refused() {
        EnvironmentResource swapped =
                new EnvironmentResource("id-1", "worker-one", "workspace", "Ready", "other", "env-1");
        assertThat(List.of(other("id-2", "worker-one"), other("id-1", "b"), swapped))
                .allSatisfy(each -> assertThat(
                                DeletionReconciliation.decide(new EnvironmentListing(true, List.of(each)), BOUND))
                        .isInstanceOf(DeletionReconciliation.Refused.class));
    }

    private static EnvironmentResource other(String id, String name) {
        return new EnvironmentResource(id, name, "workspace", "Ready", "print", "env-2");
    }
}
