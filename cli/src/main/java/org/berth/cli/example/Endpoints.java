package org.berth.cli.example;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.Set;
import java.util.regex.Pattern;
import org.berth.cli.Failure;
import org.berth.cli.Settings;

/**
 * The two listeners of this host that a guest reaches, as it names them. Source: environments.md, Endpoint check; the
 * reference's setup.
 *
 * @param mcp the MCP listener's address, ending in {@code /mcp}
 * @param activity the guest listener's origin
 */
public record Endpoints(URI mcp, URI activity) {
    /** What a guest calls the host that it runs on. */
    public static final String HOST = "host.openshell.internal";

    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9]([A-Za-z0-9.-]{0,251}[A-Za-z0-9])?");
    private static final Set<String> SCHEMES = Set.of("http", "https");

    /** Those of the server of this machine. */
    public static Endpoints usual(Settings settings) {
        return new Endpoints(
                URI.create("http://" + HOST + ":" + settings.mcpPort() + "/mcp"),
                URI.create("http://" + HOST + ":" + settings.guestPort()));
    }

    /**
     * @param mcpUrl null for the usual one; {@code guestBaseUrl} likewise
     * @throws Failure usage, for an address of another form, with credentials, at a port that is no guest's, or both at one
     */
    public static Endpoints of(String mcpUrl, String guestBaseUrl, Settings settings) {
        Endpoints usual = usual(settings);
        URI mcp = mcpUrl == null ? usual.mcp : address("--mcp-url", mcpUrl);
        URI activity = guestBaseUrl == null ? usual.activity : address("--guest-base-url", guestBaseUrl);
        if (!mcp.getRawPath().endsWith("/mcp")) {
            throw Failure.usage("--mcp-url must end in /mcp: " + mcp);
        }
        if (!activity.getRawPath().isEmpty() && !activity.getRawPath().equals("/")) {
            throw Failure.usage("--guest-base-url is an origin, scheme, host and port only: " + activity);
        }
        Endpoints endpoints = new Endpoints(mcp, activity);
        endpoints.requirePorts(settings);
        return endpoints;
    }

    private void requirePorts(Settings settings) {
        for (int port : new int[] {port(mcp), port(activity)}) {
            if (port == settings.daemonPort() || port == port(settings.url())) {
                throw Failure.usage(
                        "Port " + port + " is the daemon's, which no guest may reach; choose the MCP and the"
                                + " guest listener's ports.");
            }
            if (port == settings.managementPort()) {
                throw Failure.usage(
                        "Port " + port + " is the management console's, which no guest may reach; choose the"
                                + " MCP and the guest listener's ports.");
            }
        }
        if (port(mcp) == port(activity)) {
            throw Failure.usage(
                    "The MCP and the guest listener have a port each; both addresses say " + port(mcp) + ".");
        }
    }

    /** The port that {@code address} names or that its scheme implies. */
    public static int port(URI address) {
        if (address.getPort() >= 0) {
            return address.getPort();
        }
        return "https".equals(address.getScheme()) ? 443 : 80;
    }

    private static URI address(String option, String text) {
        try {
            URI address = new URI(text);
            if (address.getRawUserInfo() != null || address.getRawQuery() != null || address.getRawFragment() != null) {
                throw Failure.usage(option + " must hold no credentials, query or fragment.");
            }
            if (address.getScheme() != null
                    && SCHEMES.contains(address.getScheme())
                    && address.getHost() != null
                    && NAME.matcher(address.getHost()).matches()
                    && port(address) >= 1
                    && port(address) <= 65_535) {
                return address;
            }
        } catch (URISyntaxException e) {
            // answered below, together with an address of another kind; the text may hold a secret
        }
        throw Failure.usage(option + " must be an http or https address with a host's name.");
    }
}
