package org.berth.credential;

import java.util.HashMap;
import java.util.Map;
import org.berth.problem.BerthException;

/**
 * No two sources of a launch fill one destination: precedence is never used to hide a conflict. Sentences name
 * destinations and projections only. Source: placement.md, Provider homes, credentials, configuration.
 */
public final class DestinationRules {
    private static final String PATH = "PATH";
    private static final String OWN = "BERTH_";
    /** What the supervisor marks a child with. Source: placement.md, Start step 7. */
    private static final String MARKER = "BERTH_ATTEMPT_KEY";

    private final Map<String, String> sources = new HashMap<>();

    private DestinationRules() {}

    /** @throws BerthException CONFLICT when two sources fill one destination, or one fills what is Berth's own */
    public static void requireApart(Destinations given) {
        if (given.logins().size() > 1) {
            throw BerthException.conflict("projections " + given.logins().get(0) + " and "
                    + given.logins().get(1) + " have one destination, the driver's login file; name one of them");
        }
        DestinationRules rules = new DestinationRules();
        rules.fill(PATH, "the host's path");
        given.home().forEach(name -> rules.fill(name, "the private home"));
        given.gateway().forEach((listener, name) -> rules.fillGateway(name, "the gateway's " + listener));
        given.policy().forEach(name -> rules.fillPlain(name, "the policy's environment"));
        given.projections().forEach((id, name) -> rules.fillPlain(name, "projection " + id));
        given.environment().forEach(name -> rules.fillPlain(name, "environment"));
        given.references().forEach(name -> rules.fillPlain(name, "environment_refs"));
    }

    private void fillPlain(String name, String source) {
        if (name.startsWith(OWN)) {
            throw reserved(name, source);
        }
        fill(name, source);
    }

    /** The gateway's tokens are Berth's own and may have its prefix. */
    private void fillGateway(String name, String source) {
        if (name.equals(MARKER)) {
            throw reserved(name, source);
        }
        fill(name, source);
    }

    private void fill(String name, String source) {
        String earlier = sources.putIfAbsent(name, source);
        if (earlier != null) {
            throw BerthException.conflict("the variable " + name + " would be set by " + earlier + " and by " + source
                    + "; precedence is not used to hide it, so one of them must not name it");
        }
    }

    private static BerthException reserved(String name, String source) {
        return BerthException.conflict(
                "the variable " + name + " of " + source + " is Berth's own; choose another destination");
    }
}
