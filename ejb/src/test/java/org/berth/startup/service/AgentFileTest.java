package org.berth.startup.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.berth.problem.BerthException;
import org.berth.startup.MemberCommand;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The command of an agent's profile. */
class AgentFileTest {
    private static final String FILE = """
            name: builder
            version: "1.0"
            profiles:
              default:
                command: %s
              talk: { model: m1 }
            """;

    private static MemberCommand command(String command, String profile) {
        return new AgentFile(Path.of("/srv/team"), Path.of("/opt/shipped")).command(FILE.formatted(command), profile);
    }

    @Test
    void what_is_left_out_has_its_default() {
        assertThat(command("{ executable: make }", "default"))
                .isEqualTo(new MemberCommand("make", List.of(), Map.of(), "default", false));
    }

    @Test
    void everything_is_read() {
        assertThat(command(
                        "{ executable: /usr/bin/make, argv: [\"-j\", \"2\"], environment: { LEVEL: \"3\" },"
                                + " policy: builds, mode: window }",
                        "default"))
                .isEqualTo(
                        new MemberCommand("/usr/bin/make", List.of("-j", "2"), Map.of("LEVEL", "3"), "builds", true));
    }

    @Test
    void the_same_profile_still_tells_what_a_contained_seat_starts_with() {
        assertThat(new AgentFile(Path.of("/srv/team"), Path.of("/opt/shipped"))
                        .plan(FILE.formatted("{ executable: make }"), "talk")
                        .model())
                .isEqualTo("m1");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            { executable: make, shell: true }             | shell is not a known key
            { argv: [a] }                                 | executable
            { executable: make, argv: text }              | argv
            { executable: make, mode: screen }            | must be pipes or window
            { executable: make, environment: { PATH: x } }| none that Berth sets itself
            { executable: make, environment: { OPENRIG_NODE_ID: x } }| none that Berth sets itself
            """)
    void a_wrong_command_is_refused_with_its_key(String command, String sentence) {
        assertThatThrownBy(() -> command(command, "default"))
                .isInstanceOf(BerthException.class)
                .hasMessageContaining(sentence);
    }

    @Test
    void a_profile_without_a_command_says_so() {
        assertThatThrownBy(() -> command("{ executable: make }", "talk"))
                .isInstanceOf(BerthException.class)
                .hasMessageContaining("command");
    }
}
