package org.berth.cli.api;

/** What to do after a refusal of a run of an agent, by its code. Source: docs/errors.md. */
final class AgentAdvice {
    private static final String ROUTE = "/api/placement/agent-runs";

    private AgentAdvice() {}

    /** One sentence; null when {@code route} is another one, or the general advice holds. */
    static String of(String code, String route) {
        if (!ROUTE.equals(route)) {
            return null;
        }
        return switch (code) {
            case "NOT_FOUND" ->
                "`berth agent drivers` shows which programs are found; `path` of host.yaml says where they are looked for,"
                        + " `executable` of the policy names another.";
            case "UNSUPPORTED_CAPABILITY" ->
                "`berth agent drivers` lists what this host can run, `berth capabilities` what it can prove.";
            case "DENIED" -> "`berth host show` lists the policies, `berth grant ls` your grants.";
            case "CONFLICT" -> "`berth attempts` shows what runs; another --session begins anew.";
            default -> null;
        };
    }
}
