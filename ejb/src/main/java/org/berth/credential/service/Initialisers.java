package org.berth.credential.service;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
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
     * The content to write: {@code wanted} itself where nothing is there, else what is there with the missing keys and list
     * items of {@code wanted} added at every level. What is no JSON object is replaced while it is what Berth last wrote,
     * and is the program's own otherwise. Empty when what is there stays as it is.
     *
     * @param there null for no file
     * @param own whether Berth itself last wrote what is there
     */
    static Optional<byte[]> compose(String wanted, byte[] there, boolean own) {
        if (there == null || new String(there, StandardCharsets.UTF_8).isBlank()) {
            return Optional.of(wanted.getBytes(StandardCharsets.UTF_8));
        }
        try {
            Map<String, Object> kept = StrictJson.object(there);
            Object merged = merged(kept, StrictJson.object(wanted));
            return merged.equals(kept)
                    ? Optional.empty()
                    : Optional.of(JsonText.write(merged).getBytes(StandardCharsets.UTF_8));
        } catch (BerthException e) {
            // Of a form that is not known here.
            return Optional.of(wanted.getBytes(StandardCharsets.UTF_8))
                    .filter(text -> own && !Arrays.equals(text, there));
        }
    }

    private static Object merged(Object kept, Object wanted) {
        if (kept instanceof Map<?, ?> object && wanted instanceof Map<?, ?> more) {
            Map<Object, Object> all = new LinkedHashMap<>(object);
            more.forEach((key, value) -> all.put(key, all.containsKey(key) ? merged(all.get(key), value) : value));
            return all;
        }
        if (kept instanceof List<?> list && wanted instanceof List<?> more) {
            List<Object> all = new ArrayList<>(list);
            more.stream().filter(each -> !list.contains(each)).forEach(all::add);
            return all;
        }
        return kept;
    }

    static SecretBytes bytes(String text) {
        return new SecretBytes(text.getBytes(StandardCharsets.UTF_8));
    }
}
