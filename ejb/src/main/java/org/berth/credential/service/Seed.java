package org.berth.credential.service;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.berth.driver.SetupFile;
import org.berth.host.SecretBytes;

/**
 * What a home is seeded with. Its text form holds no secret.
 *
 * @param projection the login's projection; null when the launch has none
 * @param optional whether that projection may be absent; false without one
 * @param login the login's bytes; null when the source is absent, or without a projection
 * @param setup provider state by its path below the home, ready to be written
 * @param initialisers what lets the program start without a question, composed with what is there
 */
public record Seed(
        ProviderHome home,
        String projection,
        boolean optional,
        SecretBytes login,
        Map<String, SecretBytes> setup,
        List<SetupFile> initialisers) {
    public Seed {
        setup = Collections.unmodifiableMap(new LinkedHashMap<>(setup));
        initialisers = List.copyOf(initialisers);
    }
}
