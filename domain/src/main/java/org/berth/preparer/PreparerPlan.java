package org.berth.preparer;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.berth.placement.CanonicalJson;
import org.berth.problem.BerthException;

/**
 * One preparer's plan, as it is recorded before its setup.
 *
 * @param preparer its name
 * @param binding what its plan and its setup did when it planned
 * @param state plain JSON values
 */
public record PreparerPlan(String preparer, String binding, Map<String, Object> state) {
    /** Of the state's canonical JSON. Source: placement.md, Preparers. */
    public static final int MAX_STATE_BYTES = 64 * 1024;

    /** The state's canonical JSON. @throws BerthException INVALID when it is larger than {@link #MAX_STATE_BYTES} */
    public String stateJson() {
        String json = CanonicalJson.write(state);
        int bytes = json.getBytes(StandardCharsets.UTF_8).length;
        if (bytes > MAX_STATE_BYTES) {
            throw BerthException.invalid("the plan of the preparer " + preparer + " has a state of " + bytes
                    + " bytes; at most " + MAX_STATE_BYTES + " are recorded");
        }
        return json;
    }
}
