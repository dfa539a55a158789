package org.berth.container;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.AlphaChars;
import net.jqwik.api.constraints.Size;
import net.jqwik.api.constraints.StringLength;
import org.berth.placement.Attempt;
import org.berth.placement.Capability;
import org.berth.placement.CleanupState;
import org.berth.placement.ExecutionState;
import org.berth.placement.ExitObservation;
import org.berth.placement.SpawnOrder;
import org.junit.jupiter.api.Test;

class ContainerPlanTest {
    private static final Path HOME = Path.of("/srv/home");
    private static final List<ContainerMount> MOUNTS = ContainerMount.plan(HOME, List.of());

    private static Attempt attempt() {
        return new Attempt(
                "attempt-1",
                "action-1",
                "owner-1",
                1,
                "key-1",
                "d".repeat(64),
                "{}",
                "a".repeat(32),
                "b".repeat(32),
                "host-1",
                "default",
                "podman:/bin/true",
                null,
                null,
                null,
                List.of(),
                ExecutionState.STARTING,
                CleanupState.PENDING,
                Capability.CONTAINED_TREE,
                Capability.CONTAINED_TREE,
                ExitObservation.INDEPENDENT,
                "runner",
                null,
                null,
                null,
                null,
                0,
                0,
                0,
                Instant.EPOCH,
                Instant.EPOCH,
                null,
                0);
    }

    private static ContainerPlan plan(List<String> argv, boolean oneTurn) {
        SpawnOrder launch = new SpawnOrder(
                "a".repeat(32),
                "b".repeat(32),
                "podman:/opt/agent",
                argv,
                Map.of(),
                "/srv/home",
                null,
                oneTurn ? new byte[] {1} : null,
                oneTurn,
                Capability.CONTAINED_TREE,
                1,
                1,
                null,
                null,
                0,
                null);
        return ContainerPlan.of(
                attempt(), "/opt/agent", launch, ContainerSettings.NONE, Map.of("HOME", "/srv/home"), MOUNTS);
    }

    @Property
    void a_launch_is_its_program_and_its_arguments_as_they_are(
            @ForAll @Size(max = 5) List<@AlphaChars @StringLength(max = 5) String> argv) {
        ContainerPlan plan = plan(argv, false);
        assertThat(plan.command().getFirst()).isEqualTo("/opt/agent");
        assertThat(plan.command().subList(1, plan.command().size())).isEqualTo(argv);
        assertThat(plan.stdin()).isTrue();
    }

    @Property
    void a_turn_that_ends_reads_the_file_in_its_home_and_no_argument_is_a_shells(
            @ForAll @Size(max = 5) List<@StringLength(max = 5) @AlphaChars String> argv) {
        ContainerPlan plan = plan(argv, true);
        assertThat(plan.stdin()).isFalse();
        assertThat(plan.inputFromFile()).isTrue();
        assertThat(plan.command().subList(0, 5))
                .containsExactly("/bin/sh", "-c", "exec \"$@\" < \"$0\"", "/srv/home/.berth-input", "/opt/agent");
        assertThat(plan.command().subList(5, plan.command().size())).isEqualTo(argv);
    }

    @Test
    void six_labels_say_whose_it_is() {
        assertThat(plan(List.of(), false).labels())
                .containsExactly(
                        Map.entry("org.berth.attempt", "attempt-1"),
                        Map.entry("org.berth.attempt-key", "a".repeat(32)),
                        Map.entry("org.berth.owner", "owner-1"),
                        Map.entry("org.berth.host", "host-1"),
                        Map.entry("org.berth.action", "action-1"),
                        Map.entry("org.berth.request", "d".repeat(64)));
        assertThat(plan(List.of(), false).name()).isEqualTo("berth-" + "a".repeat(32));
    }

    @Test
    void a_container_is_the_same_only_with_id_image_labels_and_start() {
        Instant started = Instant.parse("2026-01-01T00:00:00.000000001Z");
        Map<String, String> labels = Map.of("org.berth.attempt", "attempt-1");
        ContainerState seen = new ContainerState("id", "image", "name", labels, "running", 0, false, started);
        ContainerRecord record = new ContainerRecord(
                        "attempt-1",
                        "key",
                        "host",
                        "engine",
                        "name",
                        null,
                        null,
                        labels,
                        ContainerRecord.Phase.INTENDED,
                        false,
                        false,
                        Instant.EPOCH,
                        null)
                .created(seen);
        assertThat(record.isSame(seen)).isTrue();
        assertThat(record.isSame(new ContainerState("other", "image", "name", labels, "running", 0, false, started)))
                .isFalse();
        assertThat(record.isSame(new ContainerState("id", "other", "name", labels, "running", 0, false, started)))
                .isFalse();
        assertThat(record.isSame(new ContainerState("id", "image", "name", Map.of(), "running", 0, false, started)))
                .isFalse();
        assertThat(record.isSame(
                        new ContainerState("id", "image", "name", labels, "running", 0, false, started.plusNanos(1))))
                .isFalse();
    }
}
