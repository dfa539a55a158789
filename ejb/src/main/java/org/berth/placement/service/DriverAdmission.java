package org.berth.placement.service;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.nio.file.Path;
import java.util.List;
import org.berth.credential.service.CredentialBroker;
import org.berth.driver.AgentDriver;
import org.berth.driver.ConfigurationRules;
import org.berth.driver.Delivery;
import org.berth.driver.DriverArguments;
import org.berth.driver.DriverInputs;
import org.berth.driver.DriverProfile;
import org.berth.driver.service.DriverCatalogue;
import org.berth.host.HostPolicy;
import org.berth.host.service.Host;
import org.berth.host.service.Listeners;
import org.berth.placement.AttemptKeys;
import org.berth.placement.CanonicalJson;
import org.berth.placement.ExecutableResolver;
import org.berth.placement.PrepareRequest;
import org.berth.placement.Wire;
import org.berth.preparer.service.Preparers;
import org.berth.problem.BerthException;
import org.berth.problem.ProblemCode;

/**
 * Whether a launch fits the driver that its policy selects, and what that driver renders for it. Nothing external
 * exists afterwards. Source: placement.md, Provider homes, credentials, configuration.
 */
@ApplicationScoped
public class DriverAdmission {
    /** The driver of any executable; it declares nothing. */
    static final String COMMAND = "command";

    @Inject
    private DriverCatalogue drivers;

    @Inject
    private CredentialBroker broker;

    @Inject
    private Preparers preparers;

    @Inject
    private Host host;

    /**
     * What a launch was admitted with.
     *
     * @param deliveryJson the driver's configuration as canonical JSON; null for driver {@code command}
     * @param notices words for the caller; none is a refusal
     */
    record Admitted(String deliveryJson, List<String> notices) {
        static final Admitted COMMAND = new Admitted(null, List.of());
    }

    /** @throws BerthException INVALID, DENIED, CONFLICT or UNSUPPORTED_CAPABILITY, naming the field */
    Admitted admit(HostPolicy policy, HostPolicy.Policy selected, PrepareRequest request) {
        AgentDriver driver = driver(selected);
        preparers.admit(policy, request);
        if (driver != null) {
            require(policy, selected, driver, request);
        }
        broker.admit(policy, selected, request, driver);
        if (driver == null) {
            return Admitted.COMMAND;
        }
        Delivery delivery = render(policy, selected, driver, home(request));
        ConfigurationRules.requireApart(driver.definition(), List.of(), delivery);
        return new Admitted(
                CanonicalJson.write(delivery.toTree()),
                broker.notices(policy, selected, request, driver, request.sessionRef() == null ? null : home(request)));
    }

    /** Where the private home will be; null for the host's own. */
    private Path home(PrepareRequest request) {
        if (request.sessionRef() != null) {
            return host.layout().sessionHome(AttemptKeys.session(request.ownerId(), request.sessionRef()));
        }
        return LaunchDirectories.usesHostHome(request)
                ? null
                : host.layout().attemptHome(AttemptKeys.attempt(request.ownerId(), request.attemptId()));
    }

    /** The policy's driver; null for {@link #COMMAND}. @throws BerthException UNSUPPORTED_CAPABILITY */
    AgentDriver driver(HostPolicy.Policy policy) {
        return COMMAND.equals(policy.driver()) ? null : drivers.require(policy.driver());
    }

    /** The driver of the policy in force with that ref; null for {@link #COMMAND}, and for what the server itself places. */
    AgentDriver driver(String policyRef) {
        HostPolicy.Policy policy = host.policy().policies().get(policyRef);
        if (policy == null && InternalAdmission.POLICY.equals(policyRef)) {
            return null;
        }
        return driver(host.policy().policy(policyRef));
    }

    /** That the request is one of the driver's shapes. @throws BerthException INVALID, DENIED, naming the field */
    private void require(HostPolicy host, HostPolicy.Policy policy, AgentDriver driver, PrepareRequest request) {
        DriverProfile profile = driver.definition().profiles().get(policy.profile());
        if (profile == null) {
            throw new BerthException(
                    ProblemCode.UNSUPPORTED_CAPABILITY,
                    "policy_ref selects the profile '" + policy.profile() + "', which driver " + policy.driver()
                            + " does not have; it has "
                            + String.join(", ", driver.definition().profiles().keySet()));
        }
        if (request.launch().mode() != profile.mode()) {
            throw BerthException.invalid("launch.mode must be " + Wire.name(profile.mode()) + " under the profile '"
                    + policy.profile() + "' of policy_ref");
        }
        String program = program(policy, driver);
        if (!request.launch().executable().equals(program)
                && !resolved(host, request.launch().executable()).equals(resolved(host, program))) {
            throw new BerthException(
                    ProblemCode.DENIED, "launch.executable must be the program that policy_ref selects: " + program);
        }
        DriverArguments.requireFree(driver.definition(), request.launch().argv());
    }

    /** The program that the policy's launches run. */
    static String program(HostPolicy.Policy policy, AgentDriver driver) {
        return policy.agent().executable() != null
                ? policy.agent().executable()
                : driver.definition().executable();
    }

    private static Path resolved(HostPolicy host, String executable) {
        return ExecutableResolver.resolve(executable, host.path());
    }

    /**
     * The configuration of the launch, in the program's own formats.
     *
     * @param home the private home, which need not exist yet; null for the host's own, into which nothing is written
     * @throws BerthException INVALID when it cannot be said in them; CONFLICT when files would go into the host's home
     */
    private static Delivery render(HostPolicy host, HostPolicy.Policy policy, AgentDriver driver, Path home) {
        HostPolicy.Agent agent = policy.agent();
        Delivery delivery = driver.render(new DriverInputs(
                policy.profile(),
                policy.model(),
                agent.effort(),
                agent.instructions(),
                agent.edits(),
                agent.endpoint(),
                agent.endpoint() == null ? null : keyVariable(host, policy),
                gateway(host, agent),
                home == null ? Path.of(System.getProperty("user.home")) : home));
        if (home == null && !delivery.files().isEmpty()) {
            throw BerthException.conflict("policy_ref needs the configuration file "
                    + delivery.files().getFirst().path()
                    + ", which is never written into the host's own home; use a private home, or a policy without it");
        }
        return delivery;
    }

    /** The variable of the provider's key: of the policy's first credential that is a variable and no gateway's token. */
    private static String keyVariable(HostPolicy host, HostPolicy.Policy policy) {
        return policy.credentials().stream()
                .filter(name -> !name.equals(policy.agent().toolsCredential())
                        && !name.equals(policy.agent().hooksCredential()))
                .map(name -> host.credentials().get(name))
                .filter(credential -> credential.kind() == HostPolicy.CredentialKind.ENVIRONMENT)
                .map(HostPolicy.Credential::destination)
                .findFirst()
                .orElse(null);
    }

    private static DriverInputs.Gateway gateway(HostPolicy host, HostPolicy.Agent agent) {
        if (agent.toolsCredential() == null && agent.hooksCredential() == null) {
            return null;
        }
        String tools = variable(host, agent.toolsCredential());
        String hooks = variable(host, agent.hooksCredential());
        return new DriverInputs.Gateway(
                tools == null ? null : Listeners.toolsUrl(), tools, hooks == null ? null : Listeners.hooksUrl(), hooks);
    }

    private static String variable(HostPolicy host, String credential) {
        return credential == null ? null : host.credentials().get(credential).destination();
    }
}
