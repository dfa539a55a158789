package org.berth.placement.service;

import java.util.Optional;
import java.util.function.Function;
import org.berth.driver.AgentDriver;
import org.berth.driver.DriverProfile;
import org.berth.host.HostPolicy;
import org.berth.placement.AgentRunRequest;
import org.berth.placement.LaunchMode;
import org.berth.problem.BerthException;
import org.berth.problem.ProblemCode;

/**
 * The agent that a policy selects.
 *
 * @param policy what the operator chose
 * @param digests what a launch under it carries
 * @param driver how the program is run
 * @param profile the driver's, as the policy names it
 */
record AgentSelection(HostPolicy.Policy policy, HostPolicy.Digests digests, AgentDriver driver, DriverProfile profile) {
    private static final String NO_AGENT = "command";

    /**
     * The selection of {@code run}, which fits its profile.
     *
     * @param drivers the driver of a name
     * @throws BerthException DENIED for an unknown policy, UNSUPPORTED_CAPABILITY for what this host has no driver for,
     *     INVALID for what does not fit, naming the field
     */
    static AgentSelection of(HostPolicy host, Function<String, Optional<AgentDriver>> drivers, AgentRunRequest run) {
        HostPolicy.Policy policy = host.policies().get(run.policyRef());
        if (policy == null) {
            throw new BerthException(
                    ProblemCode.DENIED, "policy_ref names no policy of this host; GET /api/placement/host lists them");
        }
        if (run.driver() != null && !run.driver().equals(policy.driver())) {
            throw BerthException.invalid("driver must be the policy's, which is " + policy.driver());
        }
        if (NO_AGENT.equals(policy.driver())) {
            throw BerthException.invalid("policy_ref selects the driver command, which runs no agent;"
                    + " POST /api/placement/attempts runs commands");
        }
        AgentDriver driver = drivers.apply(policy.driver())
                .orElseThrow(() -> unsupported(
                        "policy_ref selects the driver '" + policy.driver() + "', which this host does not have"));
        DriverProfile profile = driver.definition().profiles().get(policy.profile());
        if (profile == null) {
            throw unsupported("policy_ref selects the profile '" + policy.profile() + "', which the driver "
                    + policy.driver() + " does not have; it has "
                    + String.join(", ", driver.definition().profiles().keySet()));
        }
        requireFit(profile, run);
        return new AgentSelection(policy, host.digests(run.policyRef()), driver, profile);
    }

    private static void requireFit(DriverProfile profile, AgentRunRequest run) {
        boolean window = profile.mode() == LaunchMode.WINDOW;
        if (run.prompt() == null && !window) {
            throw BerthException.invalid("prompt is required by the profile " + profile.name());
        }
        if (run.window() != null && !window) {
            throw BerthException.invalid("window needs a policy whose profile is a window; the profile is "
                    + profile.name() + ", which runs on pipes");
        }
    }

    /** The program: the policy's, else the driver's own. */
    String executable() {
        String chosen = policy.agent().executable();
        return chosen == null ? driver.definition().executable() : chosen;
    }

    boolean isWindow() {
        return profile.mode() == LaunchMode.WINDOW;
    }

    private static BerthException unsupported(String sentence) {
        return new BerthException(ProblemCode.UNSUPPORTED_CAPABILITY, sentence);
    }
}
