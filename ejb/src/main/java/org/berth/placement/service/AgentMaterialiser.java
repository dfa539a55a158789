package org.berth.placement.service;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import org.berth.credential.service.ConfigurationUncertainException;
import org.berth.credential.service.CredentialBroker;
import org.berth.credential.service.ProviderHome;
import org.berth.credential.service.ProviderHomes;
import org.berth.credential.service.Seed;
import org.berth.credential.service.SeedOutcome;
import org.berth.driver.AgentDriver;
import org.berth.driver.Delivery;
import org.berth.driver.DriverDefinition;
import org.berth.fault.FaultPoint;
import org.berth.host.service.Host;
import org.berth.placement.Attempt;
import org.berth.placement.Evidence;
import org.berth.placement.EvidenceKind;
import org.berth.placement.PrepareRequest;
import org.berth.placement.Wire;
import org.berth.problem.BerthException;
import org.berth.problem.ProblemCode;

/**
 * Fills the private home of an agent's launch: its login and first state, then its configuration. Source: placement.md,
 * Start, step 4.
 */
@ApplicationScoped
public class AgentMaterialiser {
    @Inject
    private Host host;

    @Inject
    private DriverAdmission drivers;

    @Inject
    private StoredDeliveries deliveries;

    @Inject
    private CredentialBroker broker;

    @Inject
    private ProviderHomes homes;

    @Inject
    private Clock clock;

    /**
     * Seeds the home and publishes the stored configuration. Nothing is written for driver {@code command}, nor into the
     * host's own home.
     *
     * @param directory where the agent will work
     * @param mayGoOn asked before each file
     * @param done collects the evidence of what was done
     * @return the arguments that the driver rendered
     */
    List<String> materialise(
            Attempt attempt, PrepareRequest request, Path directory, BooleanSupplier mayGoOn, List<Evidence> done)
            throws StartRefusal {
        AgentDriver driver = drivers.driver(attempt.policyRef());
        if (driver == null) {
            return List.of();
        }
        Delivery delivery = stored(attempt);
        if (LaunchDirectories.usesHostHome(request)) {
            return delivery.arguments();
        }
        ProviderHome home = home(attempt, driver);
        seed(request, driver, home, directory, mayGoOn, done);
        FaultPoint.AGENT_SEEDED.hit();
        publish(home, delivery, mayGoOn, done);
        FaultPoint.AGENT_CONFIGURED.hit();
        return delivery.arguments();
    }

    /** What the driver declares of the private home; null where the launch has none of a driver's. */
    DriverDefinition privateDefinition(PrepareRequest request) {
        AgentDriver driver = drivers.driver(request.policyRef());
        return driver == null || LaunchDirectories.usesHostHome(request) ? null : driver.definition();
    }

    private Delivery stored(Attempt attempt) throws StartRefusal {
        try {
            return deliveries.of(attempt);
        } catch (BerthException e) {
            throw new StartRefusal(fact(EvidenceKind.CONFIGURATION_REFUSED, Map.of("reason", e.getMessage())), e);
        }
    }

    /** Where the attempt's program lives. */
    ProviderHome home(Attempt attempt, AgentDriver driver) {
        boolean retained = attempt.sessionKey() != null;
        Path directory = retained
                ? host.layout().sessionDirectory(attempt.sessionKey())
                : host.layout().attemptDirectory(attempt.attemptKey());
        return new ProviderHome(directory, retained, driver.definition());
    }

    private void seed(
            PrepareRequest request,
            AgentDriver driver,
            ProviderHome home,
            Path directory,
            BooleanSupplier mayGoOn,
            List<Evidence> done)
            throws StartRefusal {
        Map<String, Object> detail = new LinkedHashMap<>();
        try {
            Seed seed = broker.seed(host.policy(), request, driver, home, directory);
            if (seed.projection() != null) {
                detail.put("projection", seed.projection());
            }
            SeedOutcome outcome = homes.seed(seed, mayGoOn);
            if (seed.projection() != null && outcome != SeedOutcome.FENCED) {
                detail.put("outcome", Wire.name(outcome));
                done.add(fact(EvidenceKind.CREDENTIAL_MATERIALIZED, detail));
            }
        } catch (BerthException e) {
            detail.put("reason", e.getMessage());
            boolean another = home.retained() && e.code() == ProblemCode.CONFLICT;
            throw new StartRefusal(
                    fact(another ? EvidenceKind.SESSION_FAILED : EvidenceKind.CREDENTIAL_REFUSED, detail), e);
        } catch (ConfigurationUncertainException e) {
            throw uncertain(e);
        }
    }

    private void publish(ProviderHome home, Delivery delivery, BooleanSupplier mayGoOn, List<Evidence> done)
            throws StartRefusal {
        try {
            if (homes.publish(home, delivery, mayGoOn) && !delivery.files().isEmpty()) {
                List<Object> files = new ArrayList<>();
                delivery.files().forEach(file -> files.add(Map.of("path", file.path(), "digest", file.digest())));
                done.add(fact(EvidenceKind.CONFIGURATION_MATERIALIZED, Map.of("files", files)));
            }
        } catch (BerthException e) {
            throw new StartRefusal(fact(EvidenceKind.CONFIGURATION_REFUSED, Map.of("reason", e.getMessage())), e);
        } catch (ConfigurationUncertainException e) {
            throw uncertain(e);
        }
    }

    private StartRefusal uncertain(ConfigurationUncertainException cause) {
        return StartRefusal.uncertain(
                fact(EvidenceKind.CONFIGURATION_UNCERTAIN, Map.of("path", cause.path())),
                new BerthException(
                        ProblemCode.UNCERTAIN,
                        "whether the file " + cause.path()
                                + " lasts on this host's disk is not known; look at the home, then an operator reconciles"
                                + " the attempt",
                        cause));
    }

    private Evidence fact(EvidenceKind kind, Map<String, Object> detail) {
        return Evidence.of(clock.instant(), kind, detail);
    }
}
