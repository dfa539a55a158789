package org.berth.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.berth.problem.BerthException;
import org.berth.problem.ProblemCode;
import org.junit.jupiter.api.Test;

class ConfigurationRulesTest {
    private static final DriverDefinition DRIVER = new DriverDefinition(
            "agent",
            "1",
            "agent",
            Map.of(),
            Map.of(),
            new DriverDefinition.LoginFile(".agent/auth.json", List.of()),
            List.of(new SetupFile(".agent/setup.toml", null, true)),
            List.of(".agent/sessions"),
            Set.of());
    private static final List<SetupFile> INITIALISERS = List.of(new SetupFile(".agent.json", "{}", false));

    private static Delivery delivery(String... paths) {
        return new Delivery(
                List.of(),
                Arrays.stream(paths).map(path -> new DeliveredFile(path, "x")).toList());
    }

    private static void refused(String why, String... paths) {
        assertThatThrownBy(() -> ConfigurationRules.requireApart(DRIVER, INITIALISERS, delivery(paths)))
                .isInstanceOfSatisfying(
                        BerthException.class,
                        refusal -> assertThat(refusal.code()).isEqualTo(ProblemCode.CONFLICT))
                .hasMessageContaining(why);
    }

    @Test
    void files_beside_the_login_and_the_seed_are_admitted() {
        assertThatCode(() -> ConfigurationRules.requireApart(
                        DRIVER,
                        INITIALISERS,
                        delivery(".agent/config.toml", ".agent/auth.json.d/x", ".agent/sessions.toml", ".agents/mcp")))
                .doesNotThrowAnyException();
    }

    @Test
    void configuration_cannot_overlap_the_login_file() {
        refused("the login file", ".agent/auth.json");
        refused("the login file", ".agent");
        refused("the login file", ".agent/auth.json/x");
    }

    @Test
    void configuration_cannot_overlap_initialisation_files() {
        refused("starts the program's home", ".agent/setup.toml");
        refused("starts the program's home", ".agent.json");
        refused("starts the program's home", ".agent.json/x");
    }

    @Test
    void configuration_cannot_replace_the_programs_own_directories() {
        refused("the program's own", ".agent/sessions");
    }

    @Test
    void configuration_files_do_not_lie_below_each_other() {
        refused("another configuration file", "x", "x/y");
        refused("another configuration file", "x/y/z", "x/y");
    }
}
