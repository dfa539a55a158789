package org.berth.driver;

import java.util.regex.Pattern;
import org.berth.placement.LaunchMode;
import org.berth.problem.BerthException;

/**
 * What one run is asked to do.
 *
 * @param profile the policy's
 * @param prompt UTF-8 text; null only in a window
 * @param conversationId a UUID, derived from the session; null for a run without a session
 * @param resume continue that conversation instead of beginning it
 */
public record AgentRun(String profile, String prompt, String conversationId, boolean resume) {
    private static final Pattern UUID = Pattern.compile("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}");

    public AgentRun {
        if (prompt != null && prompt.indexOf('\0') >= 0) {
            throw BerthException.invalid("prompt must not hold NUL");
        }
        if (conversationId != null && !UUID.matcher(conversationId).matches()) {
            throw BerthException.invalid("conversation_id must be a UUID in lower case");
        }
        if (resume && conversationId == null) {
            throw BerthException.invalid("resume needs the session whose conversation goes on");
        }
    }

    /** Whether there is something to say. */
    public boolean hasPrompt() {
        return prompt != null && !prompt.isBlank();
    }

    /**
     * The run's profile in {@code definition}.
     *
     * @throws BerthException INVALID when the driver has no such profile, or a run outside a window says nothing
     */
    public DriverProfile in(DriverDefinition definition) {
        DriverProfile found = definition.profile(profile);
        if (found.mode() != LaunchMode.WINDOW && !hasPrompt()) {
            throw BerthException.invalid("prompt is missing; profile " + profile + " needs one");
        }
        return found;
    }
}
