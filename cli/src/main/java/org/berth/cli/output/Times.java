package org.berth.cli.output;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Times as people read and write them. */
public final class Times {
    private static final DateTimeFormatter LOCAL = DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss", Locale.ROOT);
    private static final Pattern SHORT = Pattern.compile("(\\d{1,9})(ms|s|m|h|d)?");

    private Times() {}

    /** A time of the server in the local zone; text that is no time stays as it is, null is empty. */
    public static String local(String instant) {
        if (instant == null) {
            return "";
        }
        try {
            return LOCAL.format(Instant.parse(instant).atZone(ZoneId.systemDefault()));
        } catch (DateTimeException e) {
            return instant;
        }
    }

    /**
     * {@code 500ms}, {@code 30s}, {@code 5m}, {@code 2h}, {@code 1d}, or a plain number of seconds.
     *
     * @throws IllegalArgumentException for anything else, and for zero
     */
    public static Duration duration(String text) {
        Matcher matcher = SHORT.matcher(text.strip());
        if (!matcher.matches() || Long.parseLong(matcher.group(1)) == 0) {
            throw new IllegalArgumentException("a duration is a number with ms, s, m, h or d, such as 30s: " + text);
        }
        long count = Long.parseLong(matcher.group(1));
        return switch (matcher.group(2)) {
            case "ms" -> Duration.ofMillis(count);
            case "m" -> Duration.ofMinutes(count);
            case "h" -> Duration.ofHours(count);
            case "d" -> Duration.ofDays(count);
            case null, default -> Duration.ofSeconds(count);
        };
    }
}
