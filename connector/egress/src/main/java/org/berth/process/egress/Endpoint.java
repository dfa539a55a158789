package org.berth.process.egress;

import java.net.InetAddress;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * One host and port that may be reached.
 *
 * @param host a name in lower case, or an address in its canonical text without brackets
 * @param port 1 to 65535
 */
public record Endpoint(String host, int port) {
    private static final int MAX_HOST = 253;
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_]([A-Za-z0-9._-]*[A-Za-z0-9_])?");

    /** @throws IllegalArgumentException for what is neither a name nor an address, or a port out of range */
    public Endpoint {
        if (port < 1 || port > 65_535) {
            throw new IllegalArgumentException("a port is 1 to 65535, not " + port);
        }
        host = canonical(host);
    }

    /**
     * Reads {@code host:port} or {@code [address]:port}.
     *
     * @param defaultPort the port where the text has none; 0 when it must have one
     * @throws IllegalArgumentException for anything else
     */
    public static Endpoint parse(String text, int defaultPort) {
        int colon = text.lastIndexOf(':');
        boolean bracketed = text.startsWith("[");
        if (bracketed ? text.endsWith("]") : colon < 0) {
            return new Endpoint(unbracketed(text, bracketed), defaultPort);
        }
        String host = unbracketed(text.substring(0, colon), bracketed);
        String port = text.substring(colon + 1);
        if (!bracketed && host.indexOf(':') >= 0) {
            throw new IllegalArgumentException("an address with colons stands in brackets");
        }
        if (port.isEmpty() || port.length() > 5 || !port.chars().allMatch(c -> c >= '0' && c <= '9')) {
            throw new IllegalArgumentException("a port is 1 to 65535");
        }
        return new Endpoint(host, Integer.parseInt(port));
    }

    /** The address that the host is in itself; null for a name. */
    public InetAddress literal() {
        return literal(host);
    }

    /** {@code host:port}, with brackets where the host needs them. */
    public String authority() {
        return (host.indexOf(':') < 0 ? host : "[" + host + "]") + ":" + port;
    }

    private static String unbracketed(String host, boolean bracketed) {
        if (!bracketed) {
            return host;
        }
        if (!host.endsWith("]") || host.indexOf(':') < 0) {
            throw new IllegalArgumentException("brackets hold an address with colons");
        }
        return host.substring(1, host.length() - 1);
    }

    private static String canonical(String host) {
        if (host.isEmpty() || host.length() > MAX_HOST || host.indexOf('%') >= 0) {
            throw new IllegalArgumentException("not a host");
        }
        InetAddress literal = literal(host);
        if (literal != null) {
            return literal.getHostAddress();
        }
        if (!NAME.matcher(host).matches() || host.contains("..")) {
            throw new IllegalArgumentException("not a host");
        }
        return host.toLowerCase(Locale.ROOT);
    }

    private static InetAddress literal(String host) {
        try {
            return InetAddress.ofLiteral(host);
        } catch (IllegalArgumentException e) {
            return null;
        }
    }
}
