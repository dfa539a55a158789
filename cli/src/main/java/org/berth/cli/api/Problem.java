package org.berth.cli.api;

import jakarta.json.JsonObject;
import java.util.Optional;

/**
 * The server's refusal. Source: RFC 9457, with Berth's members {@code code} and {@code error}.
 *
 * @param status the HTTP status
 * @param code the stable code
 * @param error the sentence
 * @param requestId what to look for in the server's log; null when the answer carried none
 * @param route what was asked for; null when it is not known
 */
public record Problem(int status, String code, String error, String requestId, String route) {
    /** A body that is no problem, such as another program's page, keeps only its status. */
    static Problem of(int status, String body, String requestId, String route) {
        Optional<JsonObject> json = Json.parse(body);
        String code = json.map(each -> Json.text(each, "code")).orElse("HTTP_" + status);
        String error = json.map(
                        each -> Json.text(each, "error") != null ? Json.text(each, "error") : Json.text(each, "detail"))
                .orElse("The server answered with status " + status + ".");
        return new Problem(status, code, error, requestId, route);
    }

    /** Nothing happened; the same request may be sent again. */
    public boolean mayTryAgain() {
        return status == 503;
    }

    /** What to do next; null when the sentence says it all. */
    public String next() {
        String ofSession = SessionAdvice.of(code, route);
        String ofAgent = AgentAdvice.of(code, route);
        return ofSession != null ? ofSession : ofAgent != null ? ofAgent : general();
    }

    private String general() {
        return switch (code) {
            case "UNAUTHENTICATED" -> "Set BERTH_TOKEN, or BERTH_HOME to the state root with your owner.token.";
            case "FORBIDDEN", "DENIED" -> "`berth whoami` shows who you are and your roles.";
            case "NOT_FOUND" -> missing();
            case "CONFLICT" -> "Look at the present state with `berth show` and decide then.";
            case "UNCERTAIN" -> "`berth reconcile` looks at the process itself.";
            case "UNSUPPORTED_CAPABILITY" -> "`berth capabilities` shows what this host can prove.";
            case "UNAVAILABLE" -> "Try again; `berth status` shows what runs.";
            case "STORAGE", "INTERNAL" ->
                requestId == null
                        ? "The server's log tells more."
                        : "Look for request " + requestId + " in the server's log.";
            default -> Advice.of(code);
        };
    }

    /** Where what exists is listed; null where the sentence tells it, such as of a file. */
    private String missing() {
        if (route == null || route.startsWith("/api/placement/attempts/")) {
            return "`berth attempts` lists what exists; an id must be complete.";
        }
        if (route.startsWith("/api/batch/")) {
            return "`berth batch ls` lists the executions.";
        }
        return route.startsWith("/api/harness/workspaces")
                ? "`berth workspace create` told the id; it must be complete."
                : null;
    }
}
