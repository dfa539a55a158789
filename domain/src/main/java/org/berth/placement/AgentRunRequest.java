package org.berth.placement;

import java.util.Map;

/**
 * What somebody asks an agent to do, after its strict decoding: the host's policy, a driver and the host's state make a
 * {@link PrepareRequest} of it. Source: placement.md, Provider homes, credentials, configuration.
 *
 * @param policyRef the policy that selects the agent
 * @param driver what the caller takes the policy's driver to be; null for whatever it is
 * @param prompt null where none was given
 * @param sessionRef the retained home to work in; null for a home of the attempt's own
 * @param resume whether a conversation goes on; null for what the home tells
 * @param directory where the agent works; null for its home
 * @param options preparer options: {@code worktree} and {@code isolated}, as far as they were asked for
 * @param window the terminal's size; null where none was given
 * @param attemptId null for a derived one
 * @param idempotencyKey null when every sending is a run of its own
 * @param actionId null for the usual one
 * @param ownerId null for the caller
 * @param launch further fields of the launch request, as they came: environment, timeouts, output, required_cleanup
 * @param digest of the body as it came, 64 lower-case hex digits
 */
public record AgentRunRequest(
        String policyRef,
        String driver,
        String prompt,
        String sessionRef,
        Boolean resume,
        Directory directory,
        Map<String, Object> options,
        TerminalSize window,
        String attemptId,
        String idempotencyKey,
        String actionId,
        String ownerId,
        Map<String, Object> launch,
        String digest) {
    /** What preparers may be asked for. Source: placement.md, Preparers. */
    public static final String WORKTREE = "worktree";

    /** See {@link #WORKTREE}. */
    public static final String ISOLATED = "isolated";

    /**
     * A directory by grant, or by an admitted root.
     *
     * @param subpath relative to the root; empty for the root itself
     * @param access null for what the policy's agent may do
     */
    public record Directory(String grantRef, String rootRef, String subpath, ResourceAccess access) {}
}
