package org.berth.environment.driver;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.util.LinkedHashMap;
import java.util.Map;
import org.berth.host.EnvironmentSettings;
import org.berth.host.HostPolicy;
import org.berth.host.service.Host;
import org.berth.host.service.SecretReader;
import org.berth.problem.BerthException;
import org.berth.problem.ProblemCode;

/**
 * What a placement's provider injects into an environment, resolved anew at each use and stored nowhere. No sentence of
 * this class holds a value. Source: environments.md, The local driver in detail.
 */
@ApplicationScoped
public class ProviderEnvironment {
    @Inject
    private Host host;

    @Inject
    private SecretReader secrets;

    /**
     * The variables of {@code provider}, an entry of {@code providers} in host.yaml.
     *
     * @throws BerthException environment_provider_reference_missing when there is no such provider, or when one of its
     *     secrets is not there and not optional
     */
    public Map<String, String> of(String provider) {
        HostPolicy policy = host.policy();
        EnvironmentSettings.Provider selected =
                policy.environments().providers().get(provider);
        if (selected == null) {
            throw missing("host.yaml has no entry " + provider + " under providers; an operator adds it and runs berth"
                    + " host reload.");
        }
        Map<String, String> variables = new LinkedHashMap<>(selected.environment());
        selected.environmentRefs()
                .forEach((variable, reference) -> variables.put(
                        variable,
                        secrets.read(policy.references().get(reference))
                                .orElseThrow(() -> unsupplied(provider, variable))));
        for (String name : selected.credentials()) {
            HostPolicy.Credential credential = policy.credentials().get(name);
            secrets.read(credential.source())
                    .ifPresentOrElse(value -> variables.put(credential.destination(), value), () -> {
                        if (!credential.optional()) {
                            throw unsupplied(provider, credential.destination());
                        }
                    });
        }
        return variables;
    }

    private static BerthException unsupplied(String provider, String variable) {
        return missing("The host cannot supply " + variable + " of provider " + provider + " now.");
    }

    private static BerthException missing(String sentence) {
        return new BerthException(ProblemCode.ENVIRONMENT_PROVIDER_REFERENCE_MISSING, sentence);
    }
}
