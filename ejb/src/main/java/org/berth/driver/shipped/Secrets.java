package org.berth.driver.shipped;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.berth.driver.DriverInputs;

/** What an agent's own commands need not see of its environment. */
final class Secrets {
    private Secrets() {}

    /** A table {@code shell_environment_policy}, which Codex and Grok share; empty where no variable is a secret. */
    static Optional<Map<String, Object>> excluded(DriverInputs inputs) {
        List<String> variables = Stream.of(
                        inputs.keyVariable(),
                        inputs.gateway() == null ? null : inputs.gateway().toolsVariable(),
                        inputs.gateway() == null ? null : inputs.gateway().hooksVariable())
                .filter(Objects::nonNull)
                .toList();
        return variables.isEmpty() ? Optional.empty() : Optional.of(Map.of("exclude", variables));
    }
}
