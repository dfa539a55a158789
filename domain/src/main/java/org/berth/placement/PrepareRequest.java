package org.berth.placement;

import java.util.List;
import java.util.Map;

/**
 * A launch request after its strict decoding: every rule that needs no host holds. Source: placement.md, Launch
 * request.
 *
 * @param configurationDigest null when absent
 * @param executable null when the request carries no measurement
 * @param options preparer options, plain JSON values
 * @param sessionRef null when absent
 */
public record PrepareRequest(
        String idempotencyKey,
        String ownerId,
        long ownerIncarnation,
        String actionId,
        String attemptId,
        String bindingRef,
        String bindingDigest,
        String policyRef,
        String profileId,
        String profileDigest,
        String configurationDigest,
        Launch launch,
        Map<String, String> environment,
        Map<String, String> environmentRefs,
        List<Resource> resources,
        List<String> projections,
        SpawnOrder.Expected executable,
        Map<String, Object> options,
        String sessionRef,
        Capability requiredCleanup,
        ExitObservation requiredExitObservation,
        Timeouts timeouts,
        Output output) {

    /**
     * What to run.
     *
     * @param executable absolute path, or a name to be found on the policy's PATH
     * @param argv the arguments after the program's name
     * @param stdin first input as text; null for none
     * @param stdinEof close stdin after {@code stdin}
     * @param sessionEndStdinClose the session ends by closing stdin
     * @param environment names that must be supplied by one of the maps or a projection
     * @param workingDirectoryRef a resource's name; null for the home
     * @param homeRef a resource's name; null for the attempt's own home
     * @param window the terminal's size; null in mode PIPES
     * @param readiness informational; null when absent
     */
    public record Launch(
            String executable,
            List<String> argv,
            String stdin,
            boolean stdinEof,
            boolean sessionEndStdinClose,
            List<String> environment,
            String workingDirectoryRef,
            String homeRef,
            LaunchMode mode,
            TerminalSize window,
            String readiness) {}

    /** A directory that the launch uses, as the caller names it. */
    public record Resource(
            String name,
            String grantRef,
            String rootRef,
            String subpath,
            ResourceAccess access,
            ResourcePurpose purpose) {}

    /** Milliseconds each; ranges and defaults in {@link PrepareRequestDecoder}. */
    public record Timeouts(int startMs, int stopGraceMs, int drainMs, int retainMs) {}

    /** Who consumes output, and how much a log keeps. */
    public record Output(RecipientKind recipient, OutputTruncation truncation) {}

    /** The decoded request as a JSON tree, defaults filled in; what {@link #digest()} is taken of. */
    public Map<String, Object> toTree() {
        return PrepareRequestDecoder.encode(this);
    }

    /** sha256 over the canonical JSON of {@link #toTree()}, 64 lower-case hex digits. */
    public String digest() {
        return CanonicalJson.sha256(toTree());
    }
}
