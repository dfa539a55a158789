package org.berth.driver.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.berth.driver.AgentDriver;
import org.berth.driver.shipped.ClaudeDriver;
import org.berth.driver.shipped.CodexDriver;
import org.berth.problem.BerthException;
import org.berth.problem.ProblemCode;
import org.junit.jupiter.api.Test;

class DriverCatalogueTest {
    private final AgentDriver claude = new ClaudeDriver();
    private final AgentDriver codex = new CodexDriver();
    private final DriverCatalogue catalogue = new DriverCatalogue(List.of(codex, claude));

    @Test
    void driversAreFoundByTheirNames() {
        assertThat(catalogue.find("codex")).containsSame(codex);
        assertThat(catalogue.find("command")).isEmpty();
        assertThat(catalogue.require("claude")).isSameAs(claude);
        assertThat(catalogue.all()).containsExactly(claude, codex);
    }

    @Test
    void anUnknownNameIsRefusedWithThoseThatThereAre() {
        assertThatThrownBy(() -> catalogue.require("other"))
                .isInstanceOfSatisfying(
                        BerthException.class,
                        problem -> assertThat(problem.code()).isEqualTo(ProblemCode.UNSUPPORTED_CAPABILITY))
                .hasMessageContaining("driver other")
                .hasMessageContaining("[claude, codex]");
    }

    @Test
    void twoDriversOfOneNameFailTheStart() {
        assertThatThrownBy(() -> new DriverCatalogue(List.of(claude, new ClaudeDriver())))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("claude");
    }
}
