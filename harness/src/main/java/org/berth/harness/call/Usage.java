package org.berth.harness.call;

import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What a call used up.
 *
 * @param amounts by their names, which carry the unit; never changed
 */
public record Usage(SortedMap<String, Long> amounts) {
    /** Nothing was used. */
    public static final Usage NONE = new Usage(new TreeMap<>());

    public Usage {
        amounts = Collections.unmodifiableSortedMap(new TreeMap<>(amounts));
    }

    /** One amount. */
    public static Usage of(String name, long amount) {
        return new Usage(new TreeMap<>(Map.of(name, amount)));
    }

    /** The sums of both. */
    public Usage plus(Usage other) {
        SortedMap<String, Long> sums = new TreeMap<>(amounts);
        other.amounts.forEach((name, amount) -> sums.merge(name, amount, Math::addExact));
        return new Usage(sums);
    }
}
