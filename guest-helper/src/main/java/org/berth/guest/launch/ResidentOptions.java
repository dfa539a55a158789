package org.berth.guest.launch;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.berth.guest.request.Request;

/**
 * Options of the resident helper.
 *
 * @param control the socket to dial for requests; null for none
 * @param relays ports inside that lead to sockets
 * @param proxy the port inside that leads to the forward proxy; null for none
 * @param program the native
 * @param latchTime how long the launch is waited for
 * @param stayTime how long requests are answered after the native's exit
 */
public record ResidentOptions(
        String root,
        Path control,
        List<PortToSocket> relays,
        PortToSocket proxy,
        String program,
        Duration latchTime,
        Duration stayTime) {
    /** The native's program. Source: the reference's helper. */
    public static final String PROGRAM = "/usr/local/bin/claude";

    /** Its options, each with a value. */
    public static final Set<String> NAMES =
            Set.of("--root", "--control", "--relay", "--proxy", "--program", "--latch-seconds", "--stay-seconds");

    private static final long LATCH_SECONDS = 600;
    private static final long STAY_SECONDS = 1800;

    /** A port of the guest's loopback and the socket to which its connections go. */
    public record PortToSocket(int port, Path socket) {
        /** Reads {@code PORT=SOCKET}. */
        static PortToSocket parse(String text) {
            int equals = text.indexOf('=');
            int port = equals < 1 ? 0 : Integer.parseInt(text.substring(0, equals));
            if (port < 1 || port > 65_535) {
                throw new IllegalArgumentException("a relay is PORT=SOCKET");
            }
            return new PortToSocket(port, absolute(text.substring(equals + 1)));
        }
    }

    /** @throws IllegalArgumentException for an unknown option or a bad value */
    public static ResidentOptions parse(List<String> arguments) {
        String root = Request.DEFAULT_ROOT;
        Path control = null;
        List<PortToSocket> relays = new ArrayList<>();
        PortToSocket proxy = null;
        String program = PROGRAM;
        long latch = LATCH_SECONDS;
        long stay = STAY_SECONDS;
        for (int i = 0; i < arguments.size(); i += 2) {
            if (i + 1 == arguments.size()) {
                throw new IllegalArgumentException("option " + arguments.get(i) + " is unknown or needs a value");
            }
            String value = arguments.get(i + 1);
            switch (arguments.get(i)) {
                case "--root" -> root = value;
                case "--control" -> control = absolute(value);
                case "--relay" -> relays.add(PortToSocket.parse(value));
                case "--proxy" -> proxy = PortToSocket.parse(value);
                case "--program" -> program = absolute(value).toString();
                case "--latch-seconds" -> latch = Long.parseLong(value);
                case "--stay-seconds" -> stay = Long.parseLong(value);
                default -> throw new IllegalArgumentException("unknown option " + arguments.get(i));
            }
        }
        return new ResidentOptions(
                root,
                control,
                List.copyOf(relays),
                proxy,
                program,
                Duration.ofSeconds(latch),
                Duration.ofSeconds(stay));
    }

    private static Path absolute(String text) {
        Path path = Path.of(text);
        if (!path.isAbsolute()) {
            throw new IllegalArgumentException("an absolute path is needed, not " + text);
        }
        return path;
    }
}
