package org.berth.placement;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.berth.problem.BerthException;

/** One JSON object of a request while it is read: knows its path, refuses what it was not told to expect. */
final class RequestNode {
    private static final int SHOWN_NAME = 80;

    private final String path;
    private final Map<String, Object> fields;

    /** {@code path} is empty for the request itself. */
    RequestNode(String path, Map<String, Object> fields, Set<String> known) {
        this.path = path;
        this.fields = fields;
        for (String name : fields.keySet()) {
            if (!known.contains(name)) {
                throw BerthException.invalid(path(name) + " is not a known field");
            }
        }
    }

    /** The object that {@code value} must be. */
    static Map<String, Object> object(String path, Object value) {
        if (!(value instanceof Map<?, ?> map)) {
            throw BerthException.invalid(path + " must be an object");
        }
        Map<String, Object> copy = new LinkedHashMap<>();
        map.forEach((name, each) -> copy.put(text(path, name), each));
        return copy;
    }

    /** The text that {@code value} must be, without a lone surrogate. */
    static String text(String path, Object value) {
        if (!(value instanceof String text)) {
            throw BerthException.invalid(path + " must be a string");
        }
        if (!wellFormed(text)) {
            throw BerthException.invalid(path + " must be well-formed Unicode, without a lone surrogate");
        }
        return text;
    }

    /** The list that {@code value} must be. */
    static List<?> list(String path, Object value) {
        if (!(value instanceof List<?> list)) {
            throw BerthException.invalid(path + " must be a list");
        }
        return list;
    }

    /** A caller's own name as a sentence may show it: bounded, printable. */
    static String shown(String name) {
        String cut = name.length() > SHOWN_NAME ? name.substring(0, SHOWN_NAME) + "…" : name;
        return cut.codePoints()
                .map(c -> Character.isISOControl(c) || (c >= 0xD800 && c <= 0xDFFF) ? '?' : c)
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                .toString();
    }

    String path(String name) {
        return path.isEmpty() ? shown(name) : path + "." + shown(name);
    }

    boolean has(String name) {
        return fields.containsKey(name);
    }

    /** The field's value, which may be JSON null. */
    Object raw(String name) {
        return fields.get(name);
    }

    void require(String name) {
        if (!has(name)) {
            throw BerthException.invalid(path(name) + " is required");
        }
    }

    String text(String name) {
        require(name);
        return text(path(name), fields.get(name));
    }

    boolean flag(String name) {
        if (!has(name)) {
            return false;
        }
        if (!(fields.get(name) instanceof Boolean flag)) {
            throw BerthException.invalid(path(name) + " must be true or false");
        }
        return flag;
    }

    long integer(String name, long least, long most) {
        require(name);
        long value = switch (fields.get(name)) {
            case Long whole -> whole;
            case Integer whole -> whole;
            case null, default -> throw outOfRange(name, least, most);
        };
        if (value < least || value > most) {
            throw outOfRange(name, least, most);
        }
        return value;
    }

    long integer(String name, long least, long most, long absent) {
        return has(name) ? integer(name, least, most) : absent;
    }

    <E extends Enum<E>> E word(String name, Class<E> type) {
        String word = text(name);
        return Wire.parse(type, word)
                .orElseThrow(() -> BerthException.invalid(path(name) + " must be "
                        + Stream.of(type.getEnumConstants()).map(Wire::name).collect(Collectors.joining(" or "))));
    }

    <E extends Enum<E>> E word(String name, E absent) {
        return has(name) ? word(name, absent.getDeclaringClass()) : absent;
    }

    /** The object under {@code name}; empty when absent. */
    Map<String, Object> object(String name) {
        return has(name) ? object(path(name), fields.get(name)) : Map.of();
    }

    /** The list under {@code name}; empty when absent. */
    List<?> list(String name, int most) {
        if (!has(name)) {
            return List.of();
        }
        List<?> list = list(path(name), fields.get(name));
        if (list.size() > most) {
            throw BerthException.invalid(path(name) + " must hold at most " + most + " items");
        }
        return list;
    }

    RequestNode child(String name, Set<String> known) {
        return new RequestNode(path(name), object(path(name), fields.get(name)), known);
    }

    private BerthException outOfRange(String name, long least, long most) {
        return BerthException.invalid(path(name)
                + (most == Long.MAX_VALUE
                        ? String.format(Locale.ROOT, " must be a whole number of at least %d", least)
                        : String.format(Locale.ROOT, " must be a whole number from %d to %d", least, most)));
    }

    private static boolean wellFormed(String text) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (Character.isHighSurrogate(c) && i + 1 < text.length() && Character.isLowSurrogate(text.charAt(i + 1))) {
                i++;
            } else if (Character.isSurrogate(c)) {
                return false;
            }
        }
        return true;
    }
}
