package org.berth.credential.service;

import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.berth.host.SecretBytes;
import org.berth.json.JsonText;
import org.berth.json.StrictJson;
import org.berth.problem.BerthException;

/** Composes what lets a program start without a question with what its home already has. */
final class Initialisers {
    private Initialisers() {}

    /**
     * The content to write: {@code wanted} itself where nothing is there, else what is there with the missing keys of
     * {@code wanted} added at every level. Empty when what is there stays as it is: it has all keys, or it is no JSON object
     * and so the program's own.
     *
     * @param there null for no file
     */
    static Optional<byte[]> compose(String wanted, byte[] there) {
        if (there == null || new String(there, StandardCharsets.UTF_8).isBlank()) {
            return Optional.of(wanted.getBytes(StandardCharsets.UTF_8));
        }
        try {
            Map<String, Object> own = StrictJson.object(there);
            Map<String, Object> merged = merged(own, StrictJson.object(wanted));
            return merged.equals(own)
                    ? Optional.empty()
                    : Optional.of(JsonText.write(merged).getBytes(StandardCharsets.UTF_8));
        } catch (BerthException e) {
            // The program's own text, in a form that is not known here, is not Berth's to change.
            return Optional.empty();
        }
    }

    private static Map<String, Object> merged(Map<?, ?> own, Map<?, ?> wanted) {
        Map<String, Object> merged = new LinkedHashMap<>();
        own.forEach((key, value) -> merged.put((String) key, value));
        wanted.forEach((key, value) -> {
            Object there = merged.get(key);
            if (!merged.containsKey(key)) {
                merged.put((String) key, value);
            } else if (there instanceof Map<?, ?> ownInner && value instanceof Map<?, ?> wantedInner) {
                merged.put((String) key, merged(ownInner, wantedInner));
            }
        });
        return merged;
    }

    static SecretBytes bytes(String text) {
        return new SecretBytes(text.getBytes(StandardCharsets.UTF_8));
    }
}
