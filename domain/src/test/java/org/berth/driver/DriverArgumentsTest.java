package org.berth.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.berth.problem.BerthException;
import org.berth.problem.ProblemCode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DriverArgumentsTest {
    private static final DriverDefinition DEFINITION = new DriverDefinition(
            "sample",
            "1",
            "sample",
            Map.of(),
            Map.of(),
            null,
            List.of(),
            List.of(),
            Set.of("--model", "-m", "--allowed-tools"));

    @ParameterizedTest
    @ValueSource(
            strings = {
                "--model",
                "--model=other",
                "-model",
                "-model=other",
                "--MODEL",
                "--no-model",
                "--allowedTools",
                "--allowed-tools=x",
                "-m",
                "-mother",
                "-m=other",
                "-vm"
            })
    void everySpellingOfAReservedOptionIsRefused(String argument) {
        assertThatThrownBy(() -> DriverArguments.requireFree(DEFINITION, List.of("run", argument, "other")))
                .isInstanceOfSatisfying(
                        BerthException.class,
                        problem -> assertThat(problem.code()).isEqualTo(ProblemCode.INVALID))
                .hasMessageContaining("launch.argv[1] is -")
                .hasMessageContaining("driver sample");
    }

    @Test
    void theValueIsNotRepeated() {
        assertThatThrownBy(() -> DriverArguments.requireFree(DEFINITION, List.of("--model=secret-text")))
                .hasMessageContaining("--model")
                .hasMessageNotContaining("secret-text");
    }

    @ParameterizedTest
    @ValueSource(strings = {"-", "--models", "--remodel", "model", "m", "-v", "--verbose", "-x=m1", "--text=--model"})
    void whatOnlyLooksLikeItPasses(String argument) {
        assertThatCode(() -> DriverArguments.requireFree(DEFINITION, List.of(argument)))
                .doesNotThrowAnyException();
    }

    @Test
    void textBehindTheEndOfTheOptionsPasses() {
        for (List<String> before : List.of(List.<String>of(), List.of("run"), List.of("--format=text"))) {
            List<String> argv = new ArrayList<>(before);
            argv.addAll(List.of("--", "--model", "-m"));
            assertThatCode(() -> DriverArguments.requireFree(DEFINITION, argv)).doesNotThrowAnyException();
        }
    }

    @Test
    void anEndThatMayBeTheValueOfAnOptionEndsNothing() {
        assertThatThrownBy(() -> DriverArguments.requireFree(DEFINITION, List.of("--name", "--", "--model=other")))
                .hasMessageContaining("launch.argv[2]");
    }
}
