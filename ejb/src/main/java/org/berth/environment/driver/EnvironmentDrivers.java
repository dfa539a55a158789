package org.berth.environment.driver;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.Any;
import jakarta.enterprise.inject.Instance;
import jakarta.inject.Inject;
import org.berth.environment.DriverKind;
import org.berth.environment.EnvironmentDriver;
import org.berth.problem.BerthException;
import org.berth.problem.ProblemCode;

/** Chooses the driver of a gateway among those that are deployed. */
@ApplicationScoped
public class EnvironmentDrivers {
    @Inject
    @Any
    private Instance<DriverFactory> factories;

    /** @throws BerthException environment_driver_unsupported when no driver of that kind is deployed */
    public EnvironmentDriver of(String gateway) {
        DriverKind kind = DriverKind.of(gateway);
        return factories.stream()
                .filter(factory -> factory.kind() == kind)
                .findFirst()
                .orElseThrow(() -> new BerthException(
                        ProblemCode.ENVIRONMENT_DRIVER_UNSUPPORTED,
                        "This server has no driver for environments of gateway " + gateway + "."))
                .driver(gateway);
    }
}
