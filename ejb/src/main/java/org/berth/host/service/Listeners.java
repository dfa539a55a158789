package org.berth.host.service;

/** The ports of this server's listeners, as they are configured. Source: api.md, Files. */
public final class Listeners {
    private static final String LOOPBACK = "http://127.0.0.1:";

    private Listeners() {}

    /** Berth's tools, for a program on this host. */
    public static String toolsUrl() {
        return LOOPBACK + mcpPort() + "/mcp";
    }

    /** Where a program on this host posts its activity: the daemon listener, which is always open. */
    public static String hooksUrl() {
        return LOOPBACK + port("berth.daemon.port", 7433) + "/api/activity/hooks";
    }

    /** The port of the tools. */
    public static int mcpPort() {
        return port("berth.mcp.port", 7781);
    }

    /** The port that guests may reach. */
    public static int guestPort() {
        return port("berth.guest.port", 7782);
    }

    private static int port(String property, int usual) {
        return Integer.getInteger(property, usual) + Integer.getInteger("jboss.socket.binding.port-offset", 0);
    }
}
