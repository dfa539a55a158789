package org.berth.credential.service;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.berth.host.service.NoFollowFiles;
import org.berth.json.StrictJson;
import org.berth.problem.BerthException;
import org.berth.problem.ProblemCode;

/** Reads Berth's own records beside a home; what is not exactly one of them is a storage failure. */
final class HomeRecords {
    private static final int MOST_BYTES = 1 << 18;

    private HomeRecords() {}

    /** Empty when there is no such record. @throws BerthException STORAGE when there is something else */
    static Optional<Map<String, Object>> read(Path file) {
        try {
            return NoFollowFiles.read(file.getParent(), file.getFileName().toString(), MOST_BYTES, true)
                    .map(StrictJson::object);
        } catch (NoFollowFiles.UnusableFileException | BerthException e) {
            throw malformed(e);
        }
    }

    static void requireKeys(Map<String, Object> tree, String... keys) {
        if (!tree.keySet().equals(Set.of(keys))) {
            throw malformed(null);
        }
    }

    static String text(Map<String, Object> tree, String key) {
        if (tree.get(key) instanceof String text) {
            return text;
        }
        throw malformed(null);
    }

    static String textOrNull(Map<String, Object> tree, String key) {
        return tree.get(key) == null ? null : text(tree, key);
    }

    static boolean flag(Map<String, Object> tree, String key) {
        if (tree.get(key) instanceof Boolean flag) {
            return flag;
        }
        throw malformed(null);
    }

    static List<String> texts(Map<String, Object> tree, String key) {
        if (!(tree.get(key) instanceof List<?> list)) {
            throw malformed(null);
        }
        List<String> texts = new ArrayList<>();
        for (Object each : list) {
            if (!(each instanceof String text)) {
                throw malformed(null);
            }
            texts.add(text);
        }
        return texts;
    }

    static Map<String, String> named(Map<String, Object> tree, String key) {
        if (!(tree.get(key) instanceof Map<?, ?> map)) {
            throw malformed(null);
        }
        Map<String, String> named = new LinkedHashMap<>();
        map.forEach((name, value) -> {
            if (!(value instanceof String text)) {
                throw malformed(null);
            }
            named.put((String) name, text);
        });
        return named;
    }

    private static BerthException malformed(Exception cause) {
        return new BerthException(ProblemCode.STORAGE, "the record beside the private home cannot be used", cause);
    }
}
