package org.berth.mcp;

import java.net.URI;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.berth.problem.BerthException;
import org.berth.problem.ProblemCode;

/**
 * The names under which this listener may be called, so that a web page cannot reach it by a name of its own that points
 * here. Source: the MCP specification 2025-11-25, Transports, security warning.
 */
final class HostNames {
    /** How hosts and guests name the host. Source: facts on OpenShell and Podman. */
    private static final Set<String> KNOWN =
            Set.of("localhost", "host.openshell.internal", "host.containers.internal", "host.docker.internal");

    /** An address cannot be made to point elsewhere. */
    private static final Pattern ADDRESS = Pattern.compile("[0-9]{1,3}(?:\\.[0-9]{1,3}){3}|\\[[0-9a-f:.]+]");

    /** The system property with further names, parted by commas. */
    static final String PROPERTY = "berth.mcp.hosts";

    private static final Set<String> ALLOWED = allowed(System.getProperty(PROPERTY, ""));

    private HostNames() {}

    private static Set<String> allowed(String more) {
        Set<String> names = new TreeSet<>(KNOWN);
        Stream.of(more.split(","))
                .map(name -> name.strip().toLowerCase(Locale.ROOT))
                .filter(name -> !name.isEmpty())
                .forEach(names::add);
        return names;
    }

    /** @param origin null where no browser calls @throws BerthException FORBIDDEN */
    static void require(String host, String origin) {
        if (host == null || !allows(host)) {
            throw new BerthException(ProblemCode.FORBIDDEN, "this listener is not called by that host name");
        }
        if (origin != null && !allows(authority(origin))) {
            throw new BerthException(ProblemCode.FORBIDDEN, "pages of that origin may not call");
        }
    }

    private static boolean allows(String authority) {
        String name = authority.replaceFirst(":[0-9]*$", "").toLowerCase(Locale.ROOT);
        return ALLOWED.contains(name) || ADDRESS.matcher(name).matches();
    }

    private static String authority(String origin) {
        try {
            String authority = URI.create(origin).getRawAuthority();
            return authority == null ? "" : authority;
        } catch (IllegalArgumentException e) {
            return "";
        }
    }
}
