package org.berth.acceptance;

import java.nio.file.Path;
import java.util.UUID;

/** The host policy and the secrets of the server that the tests share. */
final class SharedHost {
    /** A secret that only the server's environment holds. */
    static final String ENVIRONMENT_SECRET = "canary-env-" + UUID.randomUUID();

    /** A secret that only a file with mode 0600 holds. */
    static final String FILE_SECRET = "canary-file-" + UUID.randomUUID();

    static final String ENVIRONMENT_VARIABLE = "ACCEPTANCE_SECRET";

    private SharedHost() {}

    static void prepare(BerthServer server) {
        server.environment(ENVIRONMENT_VARIABLE, ENVIRONMENT_SECRET);
        Path secret = server.directory("secrets").resolve("key");
        server.write(secret, FILE_SECRET);
        server.write(server.home().resolve("host.yaml"), policy(secret, "1s"));
    }

    private static String policy(Path secret, String sweep) {
        return """
                sweep: { every: %s, bound: 64, reconcile_timeout: 5s }
                references:
                  secrets/env: { env: %s }
                  secrets/file: { file: "%s" }
                """.formatted(sweep, ENVIRONMENT_VARIABLE, secret);
    }
}
