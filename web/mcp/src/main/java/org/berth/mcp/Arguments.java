package org.berth.mcp;

import java.util.List;
import java.util.Map;
import org.berth.problem.BerthException;

/** The arguments of one call; every sentence names the argument. */
record Arguments(Map<String, Object> members) {
    Arguments {
        members = members == null ? Map.of() : members;
    }

    boolean has(String name) {
        return members.get(name) != null;
    }

    /** @throws BerthException INVALID */
    String text(String name, int max) {
        if (members.get(name) instanceof String text && !text.isEmpty() && text.length() <= max) {
            return text;
        }
        throw BerthException.invalid(name + " must be a string of 1 to " + max + " characters");
    }

    /** Null when it was left out. @throws BerthException INVALID */
    String optional(String name, int max) {
        return has(name) ? text(name, max) : null;
    }

    /** @throws BerthException INVALID */
    long whole(String name, long min, long max) {
        Object value = members.get(name);
        if ((value instanceof Integer || value instanceof Long)
                && ((Number) value).longValue() >= min
                && ((Number) value).longValue() <= max) {
            return ((Number) value).longValue();
        }
        throw BerthException.invalid(name + " must be a whole number from " + min + " to " + max);
    }

    /** False when it was left out. @throws BerthException INVALID */
    boolean flag(String name) {
        return switch (members.get(name)) {
            case null -> false;
            case Boolean flag -> flag;
            default -> throw BerthException.invalid(name + " must be true or false");
        };
    }

    /** @throws BerthException INVALID */
    Map<?, ?> object(String name) {
        if (members.get(name) instanceof Map<?, ?> object) {
            return object;
        }
        throw BerthException.invalid(name + " must be an object");
    }

    /** @throws BerthException INVALID */
    static List<String> strings(String name, Object value) {
        if (value instanceof List<?> list && list.stream().allMatch(String.class::isInstance)) {
            return list.stream().map(String.class::cast).toList();
        }
        throw BerthException.invalid(name + " must be a list of strings");
    }
}
