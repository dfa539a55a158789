package org.berth.cli.api;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;

/** What to do after a refusal of a session's route, by its code and by what was asked for. Source: docs/errors.md. */
final class SessionAdvice {
    private static final String ROUTES = "/api/harness/sessions";

    private SessionAdvice() {}

    /** One sentence; null when {@code route} is no session's, or the general advice holds. */
    static String of(String code, String route) {
        if (route == null || !route.startsWith(ROUTES)) {
            return null;
        }
        String[] parts = route.substring(ROUTES.length()).split("[/?]");
        String session = parts.length > 1 ? URLDecoder.decode(parts[1], StandardCharsets.UTF_8) : "";
        String action = parts.length > 2 ? parts[2] : "";
        return switch (code) {
            case "NOT_FOUND" -> missing(session, action);
            case "CONFLICT" ->
                session.isEmpty()
                        ? "`berth session list` lists the sessions."
                        : "`berth session show " + session + "` shows its state; `berth session reopen " + session
                                + "` opens an ended one.";
            case "INVALID" ->
                action.isEmpty() || action.equals("reopen")
                        ? "--cwd DIR names the working directory; `berth session open --help` explains the rest."
                        : null;
            default -> null;
        };
    }

    private static String missing(String session, String action) {
        return switch (action) {
            case "jobs" -> "`berth session jobs " + session + "` lists its jobs.";
            case "navigate", "fork" -> "`berth session entries " + session + "` lists its entries.";
            default -> "`berth session list` lists the sessions; an id must be complete.";
        };
    }
}
