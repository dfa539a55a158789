package org.berth.credential.service;

import java.nio.file.Path;
import org.berth.driver.DriverDefinition;

/**
 * A private home of an agent's program, with Berth's own records beside it.
 *
 * @param directory the attempt's or the session's directory, private and already made; the home is {@code home} in it
 * @param retained whether the home is a session's, which outlives the attempt
 * @param definition what the driver declares
 */
public record ProviderHome(Path directory, boolean retained, DriverDefinition definition) {
    private static final String MARKER = "provider.json";
    private static final String JOURNAL = "materialised.json";

    /** Where the program lives: the child's HOME. */
    public Path home() {
        return directory.resolve("home");
    }

    /** Whose login the home has; outside of the home, where no launch can name it. */
    Path marker() {
        return directory.resolve(MARKER);
    }

    /** What Berth made in the home. */
    Path journal() {
        return directory.resolve(JOURNAL);
    }
}
