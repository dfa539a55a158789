package org.berth.driver;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.berth.problem.BerthException;

/**
 * What a driver declares.
 *
 * @param name as host.yaml names it
 * @param revision changes when the meaning of a retained home changes; part of its identity marker
 * @param executable the program's bare name
 * @param profiles by name: batch, session, window, as far as the program has them
 * @param homeVariables variables and the paths below the private home that they name, empty for the home itself; HOME
 *     is not among them
 * @param loginFile the login's private destination; null for none
 * @param setup provider state that a host source may bring, and where it goes
 * @param privatePaths directories below the home that are the program's own, and which configuration may not replace
 * @param reservedOptions options that only the policy decides, such as {@code --model}; a launch's argv may not hold
 *     them, alone or with {@code =}
 */
public record DriverDefinition(
        String name,
        String revision,
        String executable,
        Map<String, DriverProfile> profiles,
        Map<String, String> homeVariables,
        LoginFile loginFile,
        List<SetupFile> setup,
        List<String> privatePaths,
        Set<String> reservedOptions) {
    public DriverDefinition {
        profiles = Collections.unmodifiableMap(new LinkedHashMap<>(profiles));
        homeVariables = Collections.unmodifiableMap(new LinkedHashMap<>(homeVariables));
        setup = List.copyOf(setup);
        privatePaths = List.copyOf(privatePaths);
        reservedOptions = Set.copyOf(reservedOptions);
    }

    /** One of its profiles. @throws BerthException INVALID with the names that it has */
    public DriverProfile profile(String profile) {
        DriverProfile found = profiles.get(profile);
        if (found == null) {
            throw BerthException.invalid(
                    "profile " + profile + " is none of driver " + name + "; it has " + profiles.keySet());
        }
        return found;
    }

    /**
     * A login's destination.
     *
     * @param path below the private home
     * @param sources host paths that the program itself uses, with {@code ~/}; where LOGIN_REQUIRED looks
     */
    public record LoginFile(String path, List<String> sources) {
        public LoginFile {
            sources = List.copyOf(sources);
        }
    }
}
