package org.berth.environment;

/** The kinds of environments. */
public enum DriverKind {
    LOCAL,
    PODMAN,
    OPENSHELL;

    private static final String PODMAN_PREFIX = "podman:/";

    /** The kind that {@code gateway} selects. Source: environments.md, Drivers. */
    public static DriverKind of(String gateway) {
        if (gateway.equals("local")) {
            return LOCAL;
        }
        return gateway.startsWith(PODMAN_PREFIX) ? PODMAN : OPENSHELL;
    }
}
