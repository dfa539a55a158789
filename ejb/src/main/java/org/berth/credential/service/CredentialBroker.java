package org.berth.credential.service;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.berth.credential.DestinationRules;
import org.berth.credential.Destinations;
import org.berth.credential.ProjectionRules;
import org.berth.driver.AgentDriver;
import org.berth.driver.DriverDefinition;
import org.berth.host.HostPolicy;
import org.berth.host.HostPolicy.CredentialKind;
import org.berth.host.SecretBytes;
import org.berth.host.service.Fetched;
import org.berth.host.service.SecretReader;
import org.berth.placement.PrepareRequest;
import org.berth.problem.BerthException;
import org.berth.problem.ProblemCode;

/**
 * Hands a launch the credentials that its policy admits, and nothing else of the host. Sentences name projections and
 * destinations and hold fixed phrases. Source: placement.md, Provider homes, credentials, configuration.
 */
@ApplicationScoped
public class CredentialBroker {
    /** The most bytes of a login file. Source: placement.md, login projection. */
    public static final int MOST_LOGIN_BYTES = 1 << 20;

    @Inject
    private SecretReader secrets;

    public CredentialBroker() {}

    /** A broker over another reader. */
    public CredentialBroker(SecretReader secrets) {
        this.secrets = secrets;
    }

    /**
     * Checks, before there is an intent, that the request's projections are the policy's and that no two sources fill one
     * destination.
     *
     * @param driver null for driver {@code command}
     * @throws BerthException DENIED, INVALID or CONFLICT, naming the projection or the field
     */
    public void admit(HostPolicy host, HostPolicy.Policy policy, PrepareRequest request, AgentDriver driver) {
        DriverDefinition definition = driver == null ? null : driver.definition();
        ProjectionRules.require(host, policy, request, definition);
        DestinationRules.requireApart(Destinations.of(host, policy, request, definition));
    }

    /**
     * Checks again what may have changed since the intent; for the start and for the sweep of live attempts. Looks at
     * metadata only.
     *
     * @throws BerthException DENIED, naming the projection that the policy no longer admits, or whose source is not there or
     *     cannot be used now
     */
    public void recheck(HostPolicy host, PrepareRequest request) {
        HostPolicy.Policy policy = host.policies().get(request.policyRef());
        for (String id : request.projections()) {
            HostPolicy.Credential credential = host.credentials().get(id);
            if (policy == null || credential == null || !policy.credentials().contains(id)) {
                throw denied(id, "is no longer admitted by the policy");
            }
            require(id, credential, secrets.look(credential.source(), mostBytes(credential)));
        }
    }

    /** What a projection's source gave, or nothing where that is allowed. */
    private static Optional<SecretBytes> require(String id, HostPolicy.Credential credential, Fetched fetched) {
        return switch (fetched) {
            case Fetched.Given(SecretBytes bytes) -> Optional.of(bytes);
            case Fetched.Unusable(String why) -> throw denied(id, "has a source that " + why);
            case Fetched.Absent absent -> {
                if (credential.optional()) {
                    yield Optional.empty();
                }
                throw denied(id, "has a source that is not there now");
            }
        };
    }

    private static int mostBytes(HostPolicy.Credential credential) {
        return credential.kind() == CredentialKind.FILE ? MOST_LOGIN_BYTES : SecretReader.MOST_TEXT_BYTES;
    }

    /**
     * The variables that the request's projections set: an optional one whose source is absent is left out, and none is
     * ever empty.
     *
     * @throws BerthException DENIED for a required source that is absent, and for one that gave what no variable can hold
     */
    public Map<String, String> environment(HostPolicy host, PrepareRequest request) {
        Map<String, String> variables = new LinkedHashMap<>();
        for (String id : request.projections()) {
            HostPolicy.Credential credential = admitted(host, id);
            if (credential.kind() == CredentialKind.ENVIRONMENT) {
                require(id, credential, secrets.fetch(credential.source(), SecretReader.MOST_TEXT_BYTES))
                        .ifPresent(bytes -> put(variables, id, credential, bytes));
            }
        }
        return variables;
    }

    private static void put(
            Map<String, String> variables, String id, HostPolicy.Credential credential, SecretBytes bytes) {
        String value = SecretReader.text(credential.source(), bytes)
                .orElseThrow(() -> denied(id, "has a source that is not UTF-8 text"));
        if (value.isEmpty() || value.indexOf('\0') >= 0) {
            throw denied(id, "has a source that " + (value.isEmpty() ? "is empty" : "holds NUL"));
        }
        if (variables.putIfAbsent(credential.destination(), value) != null) {
            throw BerthException.conflict("the variable " + credential.destination() + " would be set by projection "
                    + id + " and by another projection");
        }
    }

    /**
     * The bytes of the request's login file; empty when it projects none, or an optional source is absent.
     *
     * @throws BerthException DENIED for a required source that is absent, and for one that is empty or cannot be used
     */
    public Optional<SecretBytes> login(HostPolicy host, PrepareRequest request) {
        return FileProjection.of(host, request).flatMap(projection -> {
            Optional<SecretBytes> login = require(
                    projection.id(),
                    projection.credential(),
                    secrets.fetch(projection.credential().source(), MOST_LOGIN_BYTES));
            if (login.filter(SecretBytes::isEmpty).isPresent()) {
                throw denied(projection.id(), "has a source that is empty");
            }
            return login;
        });
    }

    /**
     * LOGIN_REQUIRED when the program will find no login where it looks, and no key by a variable; advice, never a refusal.
     * Looks at metadata only.
     *
     * @param driver null for driver {@code command}
     * @param retainedHome the session's home, which may not be there yet; null for a launch without a session
     */
    public List<String> notices(
            HostPolicy host, HostPolicy.Policy policy, PrepareRequest request, AgentDriver driver, Path retainedHome) {
        return LoginEvidence.isMissing(secrets, host, policy, request, driver, retainedHome)
                ? List.of(LoginEvidence.LOGIN_REQUIRED)
                : List.of();
    }

    /**
     * All that a home is seeded with, for {@link ProviderHomes#seed}.
     *
     * @param workingDirectory physical path of the agent's directory
     * @throws BerthException DENIED as {@link #login}, for a setup file that cannot be used, and for a file reference in it
     *     that leads nowhere
     */
    public Seed seed(
            HostPolicy host, PrepareRequest request, AgentDriver driver, ProviderHome home, Path workingDirectory) {
        FileProjection projection = FileProjection.of(host, request).orElse(null);
        SecretBytes login = login(host, request).orElse(null);
        HostPolicy.Policy policy = host.policy(request.policyRef());
        return new Seed(
                home,
                projection == null ? null : projection.id(),
                projection != null && projection.credential().optional(),
                login,
                new SetupSources(secrets, home).read(projection != null, login != null),
                driver.initialisers(new AgentDriver.SeedFacts(
                        login != null,
                        LoginEvidence.hasKey(secrets, host, policy, request),
                        request.launch().mode() == org.berth.placement.LaunchMode.WINDOW,
                        workingDirectory,
                        home.home())));
    }

    private static HostPolicy.Credential admitted(HostPolicy host, String id) {
        HostPolicy.Credential credential = host.credentials().get(id);
        if (credential == null) {
            throw denied(id, "is no longer admitted by the policy");
        }
        return credential;
    }

    private static BerthException denied(String id, String phrase) {
        return new BerthException(ProblemCode.DENIED, "projection " + id + " " + phrase);
    }
}
