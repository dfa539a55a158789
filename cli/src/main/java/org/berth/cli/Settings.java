package org.berth.cli;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.Set;

/**
 * Where the server is and who calls it. Source: api.md, Commands a person types and Files.
 *
 * @param url the server's base address, without a slash at the end
 * @param home the state root
 * @param portOffset added to every port
 * @param token the bearer token; null when there is none
 */
public record Settings(URI url, Path home, int portOffset, String token) {
    private static final int DAEMON_PORT = 7433;
    private static final int MCP_PORT = 7781;
    private static final int GUEST_PORT = 7782;
    private static final int MANAGEMENT_PORT = 9990;
    private static final int HIGHEST_OFFSET = 55_545;

    /** @throws Failure usage, when a variable has no meaning */
    public static Settings of(Surroundings surroundings) {
        int offset = offset(surroundings.variable("BERTH_PORT_OFFSET", "0"));
        String user = surroundings.variable("HOME", System.getProperty("user.home"));
        Path home = Path.of(surroundings.variable("BERTH_HOME", user + "/.berth"))
                .toAbsolutePath()
                .normalize();
        URI url = url(surroundings.variable("BERTH_URL", loopback(DAEMON_PORT + offset)));
        return new Settings(url, home, offset, token(surroundings, home));
    }

    /** The port of the daemon listener of the server of this machine. */
    public int daemonPort() {
        return DAEMON_PORT + portOffset;
    }

    /** The port of the MCP listener. */
    public int mcpPort() {
        return MCP_PORT + portOffset;
    }

    /** The port of the management console. */
    public int managementPort() {
        return MANAGEMENT_PORT + portOffset;
    }

    /** The port of the guest listener. */
    public int guestPort() {
        return GUEST_PORT + portOffset;
    }

    /** Where the server's routes begin. */
    public URI webAddress() {
        return URI.create(url + "/");
    }

    /** The management console. */
    public URI consoleAddress() {
        return URI.create(loopback(managementPort()) + "/console");
    }

    /** The same caller, at another address. */
    public Settings at(URI address) {
        return new Settings(address, home, portOffset, token);
    }

    /** The server of this machine that belongs to {@code home}, whatever BERTH_URL says. */
    public Settings local() {
        return at(URI.create(loopback(daemonPort())));
    }

    private static String loopback(int port) {
        return "http://127.0.0.1:" + port;
    }

    private static int offset(String text) {
        try {
            int offset = Integer.parseInt(text.strip());
            if (offset >= 0 && offset <= HIGHEST_OFFSET) {
                return offset;
            }
        } catch (NumberFormatException e) {
            // answered below, together with a number out of range
        }
        throw Failure.usage("BERTH_PORT_OFFSET must be a number from 0 to " + HIGHEST_OFFSET + ": " + text);
    }

    private static URI url(String text) {
        String plain = text.strip().replaceAll("/+$", "");
        try {
            URI url = URI.create(plain);
            if (("http".equals(url.getScheme()) || "https".equals(url.getScheme())) && url.getHost() != null) {
                return url;
            }
        } catch (IllegalArgumentException e) {
            // answered below, together with an address of another kind
        }
        throw Failure.usage("BERTH_URL must be an http or https address: " + text);
    }

    private static String token(Surroundings surroundings, Path home) {
        String given = surroundings.variable("BERTH_TOKEN", null);
        if (given != null) {
            return given.strip();
        }
        Path file = home.resolve("owner.token");
        try {
            Set<PosixFilePermission> mode = Files.getPosixFilePermissions(file);
            if (mode.stream().anyMatch(each -> !each.name().startsWith("OWNER_"))) {
                surroundings
                        .err()
                        .println("berth: warning: others can reach the token in " + file + "; run chmod 600 " + file);
            }
            String token = Files.readString(file).strip();
            return token.isEmpty() ? null : token;
        } catch (NoSuchFileException e) {
            return null;
        } catch (IOException e) {
            throw Failure.failed("The token file " + file + " cannot be read.", "Set BERTH_TOKEN, or repair the file.");
        }
    }
}
