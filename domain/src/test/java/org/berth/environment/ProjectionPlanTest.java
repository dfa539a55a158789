package org.berth.environment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.berth.environment.Environments.file;
import static org.berth.environment.Environments.receipts;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.berth.environment.ProjectionPlan.Destination;
import org.berth.placement.CanonicalJson;
import org.berth.problem.BerthException;
import org.berth.problem.ProblemCode;
import org.junit.jupiter.api.Test;

class ProjectionPlanTest {
    @Property
    void what_is_not_selected_again_stays_and_every_path_is_there_once(
            @ForAll @IntRange(max = 20) int earlier, @ForAll @IntRange(max = 20) int now) {
        List<ProjectionPlan.Item> items = new ArrayList<>();
        for (int i = 0; i < now; i++) {
            items.add(item("f" + (i * 2), "new"));
        }
        List<ProjectionReceipt> previous = new ArrayList<>();
        for (int i = 0; i < earlier; i++) {
            previous.add(item("f" + i, "old").receipt());
        }
        ProjectionPlan plan = ProjectionPlan.of(items, previous);
        List<String> paths =
                plan.receipts().stream().map(ProjectionReceipt::path).toList();
        assertThat(paths)
                .doesNotHaveDuplicates()
                .containsAll(previous.stream().map(ProjectionReceipt::path).toList());
        assertThat(plan.receipts())
                .containsAll(items.stream().map(ProjectionPlan.Item::receipt).toList());
    }

    @Test
    void a_destination_is_replaced_only_when_it_holds_what_was_put_there() {
        ProjectionPlan.Item old = item("a", "old");
        ProjectionPlan.Item fresh = item("a", "new");
        ProjectionPlan plan = ProjectionPlan.of(List.of(fresh), receipts(old));
        assertThat(plan.decide(fresh, null)).isEqualTo(new Destination.Install(null));
        assertThat(plan.decide(fresh, fresh.file().sha256())).isEqualTo(new Destination.Present());
        assertThat(plan.decide(fresh, old.file().sha256()))
                .isEqualTo(new Destination.Install(old.file().sha256()));
        assertThat(plan.decide(fresh, "f".repeat(64)))
                .isInstanceOfSatisfying(
                        Destination.Refuse.class,
                        refuse -> assertThat(refuse.problem().code())
                                .isEqualTo(ProblemCode.ENVIRONMENT_PROJECTION_CONFLICT));
    }

    @Test
    void at_most_4096_files_are_selected_and_with_those_that_stay_kept() {
        ProjectionPlan.requireCount(4096);
        refused(() -> ProjectionPlan.requireCount(4097), ProblemCode.INVALID_ENVIRONMENT_REQUEST);
        List<ProjectionReceipt> previous = new ArrayList<>();
        for (int i = 0; i < 4096; i++) {
            previous.add(new ProjectionReceipt("f" + i, "a".repeat(64), 1, true, null, null));
        }
        assertThat(ProjectionPlan.of(List.of(item("f7", "x")), previous).receipts())
                .hasSize(4096);
        refused(
                () -> ProjectionPlan.of(List.of(item("g", "x")), previous),
                ProblemCode.ENVIRONMENT_PROJECTION_TOO_LARGE);
    }

    @Test
    void at_most_32_mebibytes_are_kept_with_those_that_stay() {
        int most = EnvironmentRules.PROJECTION_BYTES;
        List<ProjectionReceipt> previous =
                List.of(new ProjectionReceipt("large", "a".repeat(64), most - 1, true, null, null));
        assertThat(ProjectionPlan.of(List.of(item("one", "x")), previous).receipts())
                .hasSize(2);
        refused(
                () -> ProjectionPlan.of(List.of(item("two", "xx")), previous),
                ProblemCode.ENVIRONMENT_PROJECTION_TOO_LARGE);
        assertThat(ProjectionPlan.of(List.of(item("large", "xx")), previous).receipts())
                .hasSize(1);
    }

    @Test
    void two_files_of_one_destination_are_refused() {
        refused(
                () -> ProjectionPlan.of(List.of(item("a", "x"), item("a", "y")), null),
                ProblemCode.INVALID_ENVIRONMENT_REQUEST);
    }

    @Test
    void a_source_that_does_not_hold_the_selected_bytes_is_refused() {
        refused(
                () -> new ProjectionPlan.Item(file("a", "b".repeat(64)), bytes("x"), false),
                ProblemCode.ENVIRONMENT_PROJECTION_CHANGED);
        refused(
                () -> new ProjectionPlan.Item(file("a", null), bytes("x"), false),
                ProblemCode.ENVIRONMENT_PROJECTION_CHANGED);
        refused(
                () -> new ProjectionPlan.Item(file("../a", "b".repeat(64)), bytes("x"), false),
                ProblemCode.INVALID_ENVIRONMENT_PATH);
    }

    @Test
    void a_receipt_names_the_true_source_and_none_of_a_transient_one() {
        String digest = CanonicalJson.sha256(bytes("x"));
        ProjectionFile.Source truth = new ProjectionFile.Source("/rig/role.md", "c".repeat(64));
        assertThat(new ProjectionPlan.Item(
                                new ProjectionFile("/tmp/stage", "a", digest, true, truth, false), bytes("x"), false)
                        .receipt())
                .isEqualTo(new ProjectionReceipt("a", digest, 1, true, "/rig/role.md", "c".repeat(64)));
        assertThat(new ProjectionPlan.Item(
                                new ProjectionFile("/tmp/stage", "a", digest, false, null, true), bytes("x"), false)
                        .receipt())
                .isEqualTo(new ProjectionReceipt("a", digest, 1, false, null, null));
    }

    private static ProjectionPlan.Item item(String path, String text) {
        return new ProjectionPlan.Item(file(path, CanonicalJson.sha256(bytes(text))), bytes(text), false);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static void refused(ThrowingCallable call, ProblemCode code) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        BerthException.class,
                        refusal -> assertThat(refusal.code()).isEqualTo(code));
    }
}
