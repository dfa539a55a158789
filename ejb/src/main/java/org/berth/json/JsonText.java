package org.berth.json;

import java.util.Iterator;
import java.util.Map;
import org.berth.placement.CanonicalJson;

/** Writes a tree of Map, Iterable, String, Boolean, Number and null as JSON, keys in the map's own order. */
public final class JsonText {
    private JsonText() {}

    /** The text of {@code tree}. @throws IllegalArgumentException when it holds another type */
    public static String write(Object tree) {
        StringBuilder out = new StringBuilder(256);
        append(out, tree);
        return out.toString();
    }

    private static void append(StringBuilder out, Object value) {
        if (value instanceof Map<?, ?> map) {
            out.append('{');
            Iterator<? extends Map.Entry<?, ?>> entries = map.entrySet().iterator();
            while (entries.hasNext()) {
                Map.Entry<?, ?> entry = entries.next();
                out.append(CanonicalJson.write(entry.getKey())).append(':');
                append(out, entry.getValue());
                out.append(entries.hasNext() ? "," : "");
            }
            out.append('}');
        } else if (value instanceof Iterable<?> list) {
            out.append('[');
            Iterator<?> values = list.iterator();
            while (values.hasNext()) {
                append(out, values.next());
                out.append(values.hasNext() ? "," : "");
            }
            out.append(']');
        } else {
            out.append(CanonicalJson.write(value));
        }
    }
}
