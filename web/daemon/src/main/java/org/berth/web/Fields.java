package org.berth.web;

import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.berth.placement.Wire;
import org.berth.problem.BerthException;

/** Reads the members of small bodies and query parameters; every sentence names the field. */
public final class Fields {
    private static final Pattern IDENTIFIER = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._:@-]{0,159}");
    private static final Pattern LIFETIME = Pattern.compile("([0-9]{1,6})(s|m|h|d)");

    /** A hundred years. */
    private static final long MAX_LIFETIME_SECONDS = 100L * 366 * 24 * 3600;

    private final Map<String, Object> members;

    private Fields(Map<String, Object> members) {
        this.members = members;
    }

    /** @throws BerthException INVALID when a member is none of {@code known} */
    public static Fields of(JsonTree body, String... known) {
        Map<String, Object> members = body == null ? Map.of() : body.members();
        Set<String> allowed = Set.of(known);
        for (String name : members.keySet()) {
            if (!allowed.contains(name)) {
                throw BerthException.invalid(
                        (name.length() > 80 ? name.substring(0, 80) : name) + " is no field of this body");
            }
        }
        return new Fields(members);
    }

    public boolean has(String name) {
        return members.containsKey(name);
    }

    /** @throws BerthException INVALID */
    public String text(String name, int maxLength) {
        if (members.get(name) instanceof String text && text.length() <= maxLength && text.indexOf('\0') < 0) {
            return text;
        }
        throw BerthException.invalid(name + " must be a string of at most " + maxLength + " characters");
    }

    /** @throws BerthException INVALID */
    public String identifier(String name) {
        return identifier(name, members.get(name));
    }

    /** @throws BerthException INVALID */
    public static String identifier(String name, Object value) {
        if (value instanceof String text && IDENTIFIER.matcher(text).matches()) {
            return text;
        }
        throw BerthException.invalid(
                name + " must be 1 to 160 of A-Z a-z 0-9 . _ : @ - and begin with a letter or digit");
    }

    /** @throws BerthException INVALID */
    public boolean flag(String name) {
        if (members.get(name) instanceof Boolean flag) {
            return flag;
        }
        throw BerthException.invalid(name + " must be true or false");
    }

    /** @throws BerthException INVALID */
    public long whole(String name, long min, long max) {
        if (members.get(name) instanceof Long number && number >= min && number <= max) {
            return number;
        }
        throw BerthException.invalid(name + " must be a whole number from " + min + " to " + max);
    }

    /** @throws BerthException INVALID */
    public <E extends Enum<E>> E constant(String name, Class<E> type) {
        return constant(name, members.get(name), type);
    }

    /** @throws BerthException INVALID */
    public static <E extends Enum<E>> E constant(String name, Object value, Class<E> type) {
        if (value instanceof String text) {
            return Wire.parse(type, text).orElseThrow(() -> noneOf(name, type));
        }
        throw noneOf(name, type);
    }

    private static <E extends Enum<E>> BerthException noneOf(String name, Class<E> type) {
        StringBuilder words = new StringBuilder();
        for (E constant : type.getEnumConstants()) {
            words.append(words.isEmpty() ? "" : ", ").append(Wire.name(constant));
        }
        return BerthException.invalid(name + " must be one of " + words);
    }

    /** Whole seconds, or {@code 90s, 15m, 12h, 30d}; null when absent. @throws BerthException INVALID */
    public Duration lifetime(String name) {
        if (!has(name)) {
            return null;
        }
        if (members.get(name) instanceof Long) {
            return Duration.ofSeconds(whole(name, 1, MAX_LIFETIME_SECONDS));
        }
        Matcher matcher = LIFETIME.matcher(text(name, 16));
        if (!matcher.matches()) {
            throw BerthException.invalid(name + " must be whole seconds, or a number with s, m, h or d, such as 12h");
        }
        long count = Long.parseLong(matcher.group(1));
        return switch (matcher.group(2)) {
            case "s" -> Duration.ofSeconds(count);
            case "m" -> Duration.ofMinutes(count);
            case "h" -> Duration.ofHours(count);
            default -> Duration.ofDays(count);
        };
    }

    /** A query parameter. @throws BerthException INVALID */
    public static long queryNumber(String name, String value, long ifAbsent, long min, long max) {
        if (value == null) {
            return ifAbsent;
        }
        try {
            long number = Long.parseLong(value);
            if (number >= min && number <= max) {
                return number;
            }
        } catch (NumberFormatException e) {
            throw BerthException.invalid(name + " must be a whole number from " + min + " to " + max);
        }
        throw BerthException.invalid(name + " must be a whole number from " + min + " to " + max);
    }
}
