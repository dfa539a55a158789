package org.berth.cli.example;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.berth.cli.Failure;

/** One more host and port that the example's worker may reach. */
public record AllowedHost(String host, int port) {
    private static final Pattern PAIR = Pattern.compile("([A-Za-z0-9](?:[A-Za-z0-9.-]{0,251}[A-Za-z0-9])?):(\\d{1,5})");

    /** {@code HOST:PORT}. @throws Failure usage */
    public static AllowedHost of(String text) {
        Matcher pair = PAIR.matcher(text);
        if (pair.matches()) {
            int port = Integer.parseInt(pair.group(2));
            if (port >= 1 && port <= 65_535) {
                return new AllowedHost(pair.group(1), port);
            }
        }
        throw Failure.usage("--allow is HOST:PORT, such as api.anthropic.com:443: " + text);
    }

    /** An entry of {@code network_policies}. */
    String entry() {
        String name = "allowed_" + (host + "_" + port).replaceAll("[^A-Za-z0-9]", "_");
        return """
                  %s:
                    endpoints:
                      - host: %s
                        port: %d
                        protocol: rest
                        access: read-write
                        enforcement: enforce
                    binaries:
                      - path: /usr/local/bin/claude
                """.formatted(name, host, port);
    }
}
