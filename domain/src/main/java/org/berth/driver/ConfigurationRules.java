package org.berth.driver;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.berth.problem.BerthException;

/** Generated configuration has places of its own. Source: placement.md, configuration. */
public final class ConfigurationRules {
    private ConfigurationRules() {}

    /**
     * No generated file is, lies above or lies below the login file or a file that seeds the home, none stands where the
     * program has a directory of its own, and none lies below another. The identity marker lies outside of the home, where
     * no generated file can be.
     *
     * @param initialisers what the driver writes beside the declared setup files
     * @throws BerthException CONFLICT, naming the file
     */
    public static void requireApart(
            DriverDefinition definition, Collection<SetupFile> initialisers, Delivery delivery) {
        List<String> seeded = new ArrayList<>();
        definition.setup().forEach(file -> seeded.add(file.path()));
        initialisers.forEach(file -> seeded.add(file.path()));
        List<DeliveredFile> files = delivery.files();
        for (DeliveredFile file : files) {
            if (definition.loginFile() != null
                    && overlap(file.path(), definition.loginFile().path())) {
                throw refused(file, "the login file");
            }
            if (seeded.stream().anyMatch(path -> overlap(file.path(), path))) {
                throw refused(file, "a file that starts the program's home");
            }
            if (definition.privatePaths().stream().anyMatch(path -> isAtOrAbove(file.path(), path))) {
                throw refused(file, "a directory of the program's own");
            }
            if (files.stream().anyMatch(other -> other != file && isAtOrAbove(file.path(), other.path()))) {
                throw refused(file, "another configuration file");
            }
        }
    }

    private static boolean overlap(String one, String other) {
        return isAtOrAbove(one, other) || isAtOrAbove(other, one);
    }

    private static boolean isAtOrAbove(String upper, String path) {
        return (path + "/").startsWith(upper + "/");
    }

    private static BerthException refused(DeliveredFile file, String other) {
        return BerthException.conflict("the configuration file " + file.path() + " overlaps " + other);
    }
}
