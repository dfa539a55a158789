package org.berth.startup.service;

import java.net.URI;
import org.berth.host.service.Listeners;
import org.berth.problem.BerthException;
import org.berth.problem.ProblemCode;

/** The two listeners that a guest may reach, by their ports on this host. Source: environments.md, Endpoint check. */
final class SeatListeners {
    private SeatListeners() {}

    /**
     * That {@code guestBaseUrl} names the guest listener and not another one of this server.
     *
     * @throws BerthException environment_selection_changed when it is closed or another port is named
     */
    static void requireGuestListener(String guestBaseUrl) {
        if (!Boolean.getBoolean("berth.guest.enabled")) {
            throw refuse("The guest listener is closed; start the server with BERTH_GUEST_ACTIVITY_PORT.");
        }
        int port = Listeners.guestPort();
        if (port(URI.create(guestBaseUrl)) != port) {
            throw refuse("The binding's guestBaseUrl must name the guest listener's port " + port
                    + "; the server's other listeners are not a guest's.");
        }
    }

    /** The MCP endpoint as the guest reaches it: the activity origin's host, the MCP listener's port. */
    static String mcpUrl(String guestBaseUrl) {
        URI origin = URI.create(guestBaseUrl);
        return origin.getScheme() + "://" + origin.getHost() + ":" + Listeners.mcpPort() + "/mcp";
    }

    private static int port(URI origin) {
        if (origin.getPort() >= 0) {
            return origin.getPort();
        }
        return "https".equals(origin.getScheme()) ? 443 : 80;
    }

    private static BerthException refuse(String sentence) {
        return new BerthException(ProblemCode.ENVIRONMENT_SELECTION_CHANGED, sentence);
    }
}
