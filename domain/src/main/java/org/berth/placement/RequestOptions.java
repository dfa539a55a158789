package org.berth.placement;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.berth.problem.BerthException;

/** Preparer options: any JSON, bounded, with each number in one Java form so that equal requests are equal records. */
final class RequestOptions {
    /** Bounds of ours: room for every shipped preparer, small enough to be stored with each intent. */
    static final int MOST_LEVELS = 8;

    static final int MOST_BYTES = 65_536;
    static final int MOST_EXPONENT = 400;

    private RequestOptions() {}

    static Map<String, Object> read(Map<String, Object> options) {
        Map<String, Object> read = object("options", options, 1);
        if (RequestText.bytes(CanonicalJson.write(read)) > MOST_BYTES) {
            throw BerthException.invalid("options must be at most " + MOST_BYTES + " bytes as canonical JSON");
        }
        return read;
    }

    private static Object value(String path, Object value, int level) {
        return switch (value) {
            case null -> null;
            case String _ -> RequestNode.text(path, value);
            case Boolean flag -> flag;
            case Integer whole -> (long) whole;
            case Long whole -> whole;
            case BigInteger whole -> number(path, new BigDecimal(whole));
            case BigDecimal number -> number(path, number);
            case Map<?, ?> _ -> object(path, RequestNode.object(path, value), level + 1);
            case List<?> list -> list(path, list, level + 1);
            default -> throw BerthException.invalid(path + " must be a JSON value");
        };
    }

    private static Map<String, Object> object(String path, Map<String, Object> map, int level) {
        bounded(level);
        Map<String, Object> read = new LinkedHashMap<>();
        map.forEach((name, each) -> read.put(name, value(path + "." + RequestNode.shown(name), each, level)));
        return Collections.unmodifiableMap(read);
    }

    private static List<Object> list(String path, List<?> list, int level) {
        bounded(level);
        List<Object> read = new ArrayList<>();
        for (Object each : list) {
            read.add(value(path + "[" + read.size() + "]", each, level));
        }
        return Collections.unmodifiableList(read);
    }

    private static void bounded(int level) {
        if (level > MOST_LEVELS) {
            throw BerthException.invalid("options must be at most " + MOST_LEVELS + " levels deep");
        }
    }

    private static Object number(String path, BigDecimal number) {
        if (Math.abs((long) number.scale()) > MOST_EXPONENT || number.precision() > MOST_EXPONENT) {
            throw BerthException.invalid(path + " must be a number of at most " + MOST_EXPONENT
                    + " digits and an exponent within the same bound");
        }
        BigDecimal exact = number.signum() == 0 ? BigDecimal.ZERO : number.stripTrailingZeros();
        try {
            return exact.longValueExact();
        } catch (ArithmeticException _) {
            return exact;
        }
    }
}
