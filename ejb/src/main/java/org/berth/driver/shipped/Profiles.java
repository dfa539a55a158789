package org.berth.driver.shipped;

import java.util.LinkedHashMap;
import java.util.Map;
import org.berth.driver.DriverProfile;
import org.berth.driver.DriverProfile.Input;
import org.berth.placement.LaunchMode;

/** The three ways to run a program, under the names that policies use. */
final class Profiles {
    /** Several turns over one standard input. */
    static final DriverProfile SESSION = new DriverProfile("session", LaunchMode.PIPES, Input.STREAM_JSON, true);
    /** A person at a terminal. */
    static final DriverProfile WINDOW = new DriverProfile("window", LaunchMode.WINDOW, Input.TERMINAL, true);

    private Profiles() {}

    /** One turn, and the end. */
    static DriverProfile batch(Input input) {
        return new DriverProfile("batch", LaunchMode.PIPES, input, true);
    }

    /** By name, in the order of {@code profiles}. */
    static Map<String, DriverProfile> of(DriverProfile... profiles) {
        Map<String, DriverProfile> named = new LinkedHashMap<>();
        for (DriverProfile profile : profiles) {
            named.put(profile.name(), profile);
        }
        return named;
    }

    static boolean isWindow(String profile) {
        return WINDOW.name().equals(profile);
    }
}
