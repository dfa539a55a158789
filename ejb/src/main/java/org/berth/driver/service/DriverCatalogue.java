package org.berth.driver.service;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.Any;
import jakarta.enterprise.inject.Instance;
import jakarta.inject.Inject;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.berth.driver.AgentDriver;
import org.berth.problem.BerthException;
import org.berth.problem.ProblemCode;

/** Every driver of an agent program, by its name. Source: placement.md, Provider homes, credentials, configuration. */
@ApplicationScoped
public class DriverCatalogue {
    @Inject
    @Any
    private Instance<AgentDriver> drivers;

    /** The driver that declares {@code name}. */
    public Optional<AgentDriver> find(String name) {
        return all().stream()
                .filter(driver -> driver.definition().name().equals(name))
                .findFirst();
    }

    /** @throws BerthException UNSUPPORTED_CAPABILITY when no driver declares {@code name} */
    public AgentDriver require(String name) {
        return find(name)
                .orElseThrow(() -> new BerthException(
                        ProblemCode.UNSUPPORTED_CAPABILITY,
                        "policy_ref selects the driver '" + name + "', which this host does not have"));
    }

    /** By name. */
    public List<AgentDriver> all() {
        return drivers.stream()
                .sorted(Comparator.comparing(driver -> driver.definition().name()))
                .toList();
    }
}
