package org.berth.environment.driver;

import java.nio.file.Path;

/** What Berth ships for guests; agent files name it by {@value #PREFIX}. */
public final class ShippedFiles {
    /** A path that begins so lies below {@link #root()}. */
    public static final String PREFIX = "openrig-home:";

    private ShippedFiles() {}

    /** The directory of the shipped files: the property {@code berth.openrig.home}, else beside the server. */
    public static Path root() {
        String set = System.getProperty("berth.openrig.home");
        return set != null ? Path.of(set) : Path.of(System.getProperty("jboss.home.dir", "."), "berth", "openrig-home");
    }
}
