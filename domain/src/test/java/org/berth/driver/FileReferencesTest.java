package org.berth.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.StringLength;
import org.berth.problem.BerthException;
import org.berth.problem.ProblemCode;
import org.junit.jupiter.api.Test;

class FileReferencesTest {
    private static final String CANARY = "canary-4711";
    private static final Path HOST = Path.of("/home/somebody");
    private static final Path PRIVATE = Path.of("/private/home");

    private static DriverDefinition definition() {
        return new DriverDefinition(
                "agent",
                "1",
                "agent",
                Map.of(),
                Map.of(),
                new DriverDefinition.LoginFile(
                        ".agent/auth.json", List.of("~/.local/agent/auth.json", "/etc/agent.json")),
                List.of(new SetupFile(".agent/prompt.md", null, false), new SetupFile(".agent/second.md", null, false)),
                List.of(),
                Set.of());
    }

    private static String resolve(String text, Map<String, String> files) {
        return new FileReferences(definition(), HOST, PRIVATE, path -> Optional.ofNullable(files.get(path)))
                .resolve("agent.json", text);
    }

    private static void refused(String text, Map<String, String> files, String why) {
        assertThatThrownBy(() -> resolve(text, files))
                .isInstanceOfSatisfying(
                        BerthException.class,
                        refusal -> assertThat(refusal.code()).isEqualTo(ProblemCode.DENIED))
                .hasMessageContaining(why)
                .hasMessageContaining("agent.json")
                .hasMessageNotContaining(CANARY);
    }

    private static final Map<String, String> ALL =
            Map.of(".agent/auth.json", "", ".agent/prompt.md", "text", ".agent/second.md", "text");

    @Test
    void absolute_host_home_paths_and_paths_from_the_tilde_become_paths_under_the_private_home() {
        assertThat(resolve(
                        "a {file:~/.agent/prompt.md} b {file:/home/somebody/.agent/second.md} c"
                                + " {file:~/.local/agent/auth.json} {file:/etc/agent.json}"
                                + " {file:/private/home/.agent/prompt.md} d",
                        ALL))
                .isEqualTo("a {file:/private/home/.agent/prompt.md} b {file:/private/home/.agent/second.md} c"
                        + " {file:/private/home/.agent/auth.json} {file:/private/home/.agent/auth.json}"
                        + " {file:/private/home/.agent/prompt.md} d");
    }

    @Property
    void text_without_a_reference_stays_text_also_with_a_home_path(@ForAll @StringLength(max = 200) String text) {
        String plain = text.replace("{", "(") + " see /home/somebody/.agent/auth.json and ~/.agent/prompt.md";
        assertThat(resolve(plain, Map.of())).isEqualTo(plain);
    }

    @Test
    void an_undeclared_file_is_refused() {
        refused("{file:~/.ssh/" + CANARY + "}", ALL, "does not declare");
        refused("{file:/etc/" + CANARY + "}", ALL, "does not declare");
    }

    @Test
    void an_absent_file_is_refused() {
        refused(CANARY + "{file:~/.agent/prompt.md}", Map.of(), "absent");
    }

    @Test
    void a_traversing_reference_is_refused() {
        refused("{file:~/.agent/../" + CANARY + "}", ALL, "no plain path");
        refused("{file:~/x/../.agent/prompt.md}", ALL, "no plain path");
        refused("{file:~//.agent/prompt.md}", ALL, "no plain path");
        refused("{file:/home/somebody/./.agent/prompt.md}", ALL, "no plain path");
    }

    @Test
    void an_unresolved_reference_is_refused() {
        refused("{file:./" + CANARY + "}", ALL, "cannot be resolved");
        refused("{file:}", ALL, "cannot be resolved");
        refused("{file:{env:" + CANARY + "}}", ALL, "cannot be resolved");
        refused("{file:~/$" + CANARY + "}", ALL, "cannot be resolved");
        refused("{file:~/.agent\\u002fprompt.md}", ALL, "cannot be resolved");
        refused("{file:~/.agent/prompt.md " + CANARY, ALL, "has no end");
    }

    @Test
    void files_that_refer_to_each_other_are_refused_at_the_bound() {
        assertThatThrownBy(() ->
                        resolve("{file:~/.agent/prompt.md}", Map.of(".agent/prompt.md", "{file:~/.agent/prompt.md}")))
                .isInstanceOf(BerthException.class)
                .hasMessageContaining("leads through more than 4 files");
    }

    @Test
    void a_nested_file_is_held_to_the_same_rules() {
        assertThatThrownBy(() -> resolve(
                        "{file:~/.agent/prompt.md}",
                        Map.of(
                                ".agent/prompt.md",
                                "{file:~/.agent/second.md}",
                                ".agent/second.md",
                                "{file:~/.ssh/id}")))
                .isInstanceOf(BerthException.class)
                .hasMessageContaining(".agent/second.md")
                .hasMessageContaining("does not declare");
    }
}
