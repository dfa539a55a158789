package org.berth.startup.service;

import java.util.Map;
import org.berth.json.StrictJson;
import org.berth.problem.BerthException;
import org.berth.problem.ProblemCode;

/**
 * A seat's way to its work.
 *
 * @param token secret
 */
record WorkConnection(String mcpUrl, String token) {
    /** The managed connection file of {@code seat}. @throws BerthException environment_coordination_invalid */
    static WorkConnection parse(byte[] file, String seat) {
        Map<String, Object> tree;
        try {
            tree = StrictJson.object(file);
        } catch (BerthException e) {
            throw invalid(e);
        }
        if (Long.valueOf(1).equals(tree.get("version"))
                && seat.equals(tree.get("seat"))
                && tree.get("token") instanceof String token
                && !token.isEmpty()
                && tree.get("mcpUrl") instanceof String mcpUrl) {
            return new WorkConnection(mcpUrl, token);
        }
        throw invalid(null);
    }

    private static BerthException invalid(BerthException cause) {
        return new BerthException(
                ProblemCode.ENVIRONMENT_COORDINATION_INVALID,
                "The work connection is not one of this binding's seat.",
                cause);
    }

    /** Leaves the secret out. */
    @Override
    public String toString() {
        return "WorkConnection[" + mcpUrl + "]";
    }
}
