package org.berth.driver.service;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import jakarta.enterprise.event.Startup;
import jakarta.enterprise.inject.Any;
import jakarta.enterprise.inject.Instance;
import jakarta.inject.Inject;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.berth.driver.AgentDriver;
import org.berth.problem.BerthException;
import org.berth.problem.ProblemCode;

/**
 * The deployed drivers by the names that host.yaml uses. {@code command} is none of them: it runs any executable and knows
 * no agent. Unchangeable after the start, for any thread.
 */
@ApplicationScoped
public class DriverCatalogue {
    private final Map<String, AgentDriver> drivers = new TreeMap<>();

    protected DriverCatalogue() {}

    /** @throws IllegalStateException when two drivers have one name */
    @Inject
    public DriverCatalogue(@Any Instance<AgentDriver> found) {
        this((Iterable<AgentDriver>) found);
    }

    DriverCatalogue(Iterable<AgentDriver> found) {
        for (AgentDriver driver : found) {
            String name = driver.definition().name();
            if (drivers.put(name, driver) != null) {
                throw new IllegalStateException("two drivers of agents have the name " + name);
            }
        }
    }

    /** Collects at the start already, so that two drivers of one name fail the deployment and not a launch. */
    void start(@Observes Startup started) {
        all();
    }

    /** The driver of that name, if there is one. */
    public Optional<AgentDriver> find(String name) {
        return Optional.ofNullable(drivers.get(name));
    }

    /** @throws BerthException UNSUPPORTED_CAPABILITY with the names that there are */
    public AgentDriver require(String name) {
        return find(name)
                .orElseThrow(() -> new BerthException(
                        ProblemCode.UNSUPPORTED_CAPABILITY,
                        "driver " + name + " is none of this host; it has " + drivers.keySet()));
    }

    /** Every driver, by name. */
    public List<AgentDriver> all() {
        return List.copyOf(drivers.values());
    }
}
