package org.berth.environment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Set;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.berth.problem.BerthException;
import org.berth.problem.ProblemCode;
import org.junit.jupiter.api.Test;

class ContextDifferenceTest {
    private static final String SKILL = "work/.claude/skills/skill/SKILL.md";
    private static final String OLD = "work/.claude/skills/skill/old-reference.md";
    private static final String ROLE = "work/.openrig/startup/role.md";

    private static ProjectionReceipt file(String path, String content) {
        return new ProjectionReceipt(path, content, content.length(), true, "/srv/" + path, content);
    }

    @Provide
    Arbitrary<List<ProjectionReceipt>> contexts() {
        return Arbitraries.of(SKILL, OLD, ROLE, "work/.claude/plugins/p/.claude-plugin/plugin.json")
                .map(path -> file(path, "one"))
                .set()
                .map(List::copyOf);
    }

    @Property
    void the_same_files_do_not_differ(@ForAll("contexts") List<ProjectionReceipt> context) {
        assertThat(ContextDifference.of(context, context, _ -> true).none()).isTrue();
    }

    @Test
    void changed_and_added_files_are_told() {
        ContextDifference difference = ContextDifference.of(
                List.of(file(SKILL, "one"), file(ROLE, "r")),
                List.of(file(SKILL, "two"), file(ROLE, "r"), file(OLD, "new"), index()),
                _ -> true);
        assertThat(difference.changed()).containsExactly(SKILL);
        assertThat(difference.added()).containsExactly(OLD);
        assertThat(difference.removed()).isEmpty();
        assertThat(difference.none()).isFalse();
    }

    @Test
    void a_file_that_left_its_directory_is_told() {
        ContextDifference difference = ContextDifference.of(
                List.of(file(SKILL, "one"), file(OLD, "old")),
                List.of(file(SKILL, "one")),
                source -> !source.endsWith("old-reference.md"));
        assertThat(difference.removed()).containsExactly(OLD);
    }

    @Test
    void a_declared_source_that_is_gone_is_refused() {
        refused(List.of(file(SKILL, "one"), file(ROLE, "r")), List.of(file(SKILL, "one")), Set.of(SKILL));
        refused(List.of(file(SKILL, "one")), List.of(file(ROLE, "r")), Set.of(ROLE));
    }

    @Test
    void a_file_whose_source_is_there_must_be_there() {
        refused(List.of(file(SKILL, "one"), file(OLD, "old")), List.of(file(SKILL, "one")), Set.of(SKILL, OLD));
        refused(List.of(file(SKILL, "one")), null, Set.of(SKILL));
    }

    private static ProjectionReceipt index() {
        return new ProjectionReceipt("work/CLAUDE.md", "i", 1, true, null, null);
    }

    private static void refused(List<ProjectionReceipt> kept, List<ProjectionReceipt> now, Set<String> existing) {
        assertThatThrownBy(() -> ContextDifference.of(
                        kept, now, source -> existing.contains(source.substring("/srv/".length()))))
                .isInstanceOfSatisfying(
                        BerthException.class,
                        e -> assertThat(e.code()).isEqualTo(ProblemCode.ENVIRONMENT_PROJECTION_MISSING));
    }
}
