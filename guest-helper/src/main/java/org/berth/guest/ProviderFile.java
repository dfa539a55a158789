package org.berth.guest;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import org.berth.guest.json.Json;

/**
 * The variables of a provider that come in a file, since the environment of a container can be read by those who may
 * inspect it. The file holds one JSON object of texts.
 */
final class ProviderFile {
    /** The variable that names the file. */
    static final String VARIABLE = "OPENRIG_PROVIDER_FILE";

    private ProviderFile() {}

    /** {@code own} with what its file adds; {@code own} alone when it names none or none that can be read. */
    static Map<String, String> joined(Map<String, String> own) {
        String file = own.get(VARIABLE);
        if (file == null) {
            return own;
        }
        Map<String, String> all = new LinkedHashMap<>(own);
        try {
            Json.readObject(Files.readAllBytes(Path.of(file)))
                    .forEach((name, value) -> all.put(name, Json.text(value)));
        } catch (IOException | IllegalArgumentException e) {
            System.err.println("guest: the provider's file cannot be read: " + e);
        }
        return all;
    }
}
