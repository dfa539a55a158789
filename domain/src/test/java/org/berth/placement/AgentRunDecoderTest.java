package org.berth.placement;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.berth.placement.LaunchRequestFaults.map;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.berth.problem.BerthException;
import org.berth.problem.ProblemCode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class AgentRunDecoderTest {
    private static Map<String, Object> body(Object... more) {
        Map<String, Object> body = map("policy_ref", "coder", "prompt", "fix it");
        body.putAll(map(more));
        return body;
    }

    private static Map<String, Object> without(String name) {
        Map<String, Object> body = body();
        body.remove(name);
        return body;
    }

    static Stream<Arguments> faults() {
        Map<String, Object> directory = map("grant_ref", "g");
        return Stream.of(
                Arguments.of(without("policy_ref"), "policy_ref is required"),
                Arguments.of(body("policy_ref", " "), "policy_ref must be 1 to 160"),
                Arguments.of(body("launch", map()), "launch is not a known field"),
                Arguments.of(body("delivery", map()), "delivery is not a known field"),
                Arguments.of(body("driver", "a b"), "driver must be 1 to 160"),
                Arguments.of(body("driver", null), "driver must be a string"),
                Arguments.of(body("prompt", ""), "prompt must not be blank"),
                Arguments.of(body("prompt", " \n"), "prompt must not be blank"),
                Arguments.of(body("prompt", "a\0b"), "prompt must not contain NUL"),
                Arguments.of(body("prompt", "ü".repeat(32_769)), "prompt must be at most 65536 bytes"),
                Arguments.of(body("prompt", 7L), "prompt must be a string"),
                Arguments.of(body("prompt", "\ud800"), "prompt must be well-formed Unicode"),
                Arguments.of(body("session_ref", "/x"), "session_ref must be 1 to 160"),
                Arguments.of(body("session_ref", "s", "resume", "yes"), "resume must be true or false"),
                Arguments.of(body("resume", true), "resume needs session_ref"),
                Arguments.of(body("directory", "/tmp"), "directory must be an object"),
                Arguments.of(body("directory", map()), "directory.grant_ref is required"),
                Arguments.of(body("directory", map("grant_ref", "")), "directory.grant_ref must be 1 to 160"),
                Arguments.of(body("directory", map("root_ref", "a b")), "directory.root_ref must be 1 to 160"),
                Arguments.of(
                        body("directory", map("grant_ref", "g", "subpath", "/etc")),
                        "directory.subpath must be relative"),
                Arguments.of(
                        body("directory", map("grant_ref", "g", "subpath", "a/../b")),
                        "directory.subpath must not contain .."),
                Arguments.of(
                        body("directory", map("grant_ref", "g", "access", "all")),
                        "directory.access must be read or write"),
                Arguments.of(body("directory", map("grant_ref", "g", "name", "x")), "directory.name is not a known"),
                Arguments.of(body("worktree", true), "worktree needs directory"),
                Arguments.of(body("isolated", true), "isolated needs directory"),
                Arguments.of(body("directory", directory, "worktree", "b"), "worktree must be true or {branch, base}"),
                Arguments.of(body("directory", directory, "worktree", null), "worktree must be true or {branch, base}"),
                Arguments.of(
                        body("directory", directory, "worktree", map("name", "b")), "worktree.name is not a known"),
                Arguments.of(
                        body("directory", directory, "worktree", map("branch", "--force")),
                        "worktree.branch must name a branch"),
                Arguments.of(
                        body("directory", directory, "worktree", map("base", "")), "worktree.base must name a branch"),
                Arguments.of(body("directory", directory, "isolated", 1L), "isolated must be true or false"),
                Arguments.of(body("window", map("rows", 24L)), "window.cols is required"),
                Arguments.of(body("window", map("rows", 0L, "cols", 80L)), "window.rows must be a whole number"),
                Arguments.of(body("attempt_id", "-x"), "attempt_id must be 1 to 160"),
                Arguments.of(body("idempotency_key", "a/b"), "idempotency_key must be 1 to 160"),
                Arguments.of(body("action_id", ""), "action_id must be 1 to 160"),
                Arguments.of(body("owner_id", 1L), "owner_id must be a string"),
                Arguments.of(
                        body("timeouts", map("start_ms", new BigDecimal(BigInteger.TEN, Integer.MIN_VALUE))),
                        "the body holds a number"));
    }

    @ParameterizedTest(name = "{1}")
    @MethodSource("faults")
    void a_wrong_body_is_refused_by_a_sentence_with_its_path_and_rule(Map<String, Object> body, String sentence) {
        assertThatThrownBy(() -> AgentRunDecoder.decode(body))
                .asInstanceOf(InstanceOfAssertFactories.type(BerthException.class))
                .satisfies(refusal -> {
                    assertThat(refusal.code()).isEqualTo(ProblemCode.INVALID);
                    assertThat(refusal.getMessage()).startsWith(sentence);
                });
    }

    @Test
    void the_smallest_body_leaves_everything_to_the_host() {
        AgentRunRequest run = AgentRunDecoder.decode(map("policy_ref", "coder"));
        assertThat(run)
                .isEqualTo(new AgentRunRequest(
                        "coder",
                        null,
                        null,
                        null,
                        null,
                        null,
                        Map.of(),
                        null,
                        null,
                        null,
                        null,
                        null,
                        Map.of(),
                        run.digest()));
    }

    @Test
    void every_field_is_kept() {
        AgentRunRequest run = AgentRunDecoder.decode(body(
                "driver",
                "claude",
                "session_ref",
                "team/1",
                "resume",
                false,
                "directory",
                map("grant_ref", "g", "subpath", "src", "access", "read"),
                "worktree",
                map("branch", "feature", "base", "main"),
                "window",
                map("rows", 24L, "cols", 80L),
                "environment",
                map("A", "1"),
                "attempt_id",
                "a1",
                "idempotency_key",
                "k1",
                "action_id",
                "act",
                "owner_id",
                "ann",
                "timeouts",
                map("start_ms", 1L),
                "output",
                map("recipient", "log"),
                "required_cleanup",
                "direct_process"));

        assertThat(run.driver()).isEqualTo("claude");
        assertThat(run.prompt()).isEqualTo("fix it");
        assertThat(run.sessionRef()).isEqualTo("team/1");
        assertThat(run.resume()).isFalse();
        assertThat(run.directory()).isEqualTo(new AgentRunRequest.Directory("g", "cwd", "src", ResourceAccess.READ));
        assertThat(run.options()).isEqualTo(Map.of("worktree", Map.of("branch", "feature", "base", "main")));
        assertThat(run.window()).isEqualTo(new TerminalSize(24, 80));
        assertThat(List.of(run.attemptId(), run.idempotencyKey(), run.actionId(), run.ownerId()))
                .containsExactly("a1", "k1", "act", "ann");
        assertThat(run.launch())
                .isEqualTo(Map.of(
                        "environment", Map.of("A", "1"),
                        "timeouts", Map.of("start_ms", 1L),
                        "output", Map.of("recipient", "log"),
                        "required_cleanup", "direct_process"));
    }

    @Test
    void what_is_declined_is_as_if_it_were_not_there() {
        Map<String, Object> directory = map("root_ref", "work");
        assertThat(AgentRunDecoder.decode(body("directory", directory, "worktree", false, "isolated", false))
                        .options())
                .isEmpty();
        assertThat(AgentRunDecoder.decode(body("directory", directory, "worktree", map()))
                        .options())
                .isEqualTo(Map.of("worktree", true));
        assertThat(AgentRunDecoder.decode(body("directory", directory, "isolated", true, "worktree", true))
                        .options())
                .isEqualTo(Map.of("isolated", true, "worktree", true));
    }

    @Property
    void the_digest_knows_the_prompt_and_not_the_order(@ForAll String one, @ForAll String other) {
        Map<String, Object> turned = new LinkedHashMap<>();
        turned.put("prompt", "p" + one.replaceAll("[\0\\p{Cs}]", ""));
        turned.put("policy_ref", "coder");
        Map<String, Object> straight = body("prompt", turned.get("prompt"));
        Map<String, Object> different =
                body("prompt", turned.get("prompt") + "x" + other.replaceAll("[\0\\p{Cs}]", ""));
        assertThat(AgentRunDecoder.decode(turned).digest())
                .isEqualTo(AgentRunDecoder.decode(straight).digest())
                .isNotEqualTo(AgentRunDecoder.decode(different).digest());
    }
}
