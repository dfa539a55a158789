package org.berth.event.rest;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.berth.problem.BerthException;

/** Which events a client asks for: exact types, or all below a word, as in {@code queue.*}; none named is all. */
record EventTypes(List<String> exact, List<String> prefixes) {
    private static final int MAX = 32;
    private static final Pattern FORM = Pattern.compile("[a-z0-9_-]{1,64}(\\.[a-z0-9_-]{1,64}){0,3}(\\.\\*)?");

    EventTypes {
        exact = List.copyOf(exact);
        prefixes = List.copyOf(prefixes);
    }

    /** @throws BerthException INVALID */
    static EventTypes parse(String[] values) {
        List<String> exact = new ArrayList<>();
        List<String> prefixes = new ArrayList<>();
        for (String value : values == null ? new String[0] : values) {
            for (String type : value.split(",", -1)) {
                if (!FORM.matcher(type).matches() || exact.size() + prefixes.size() >= MAX) {
                    throw BerthException.invalid("type must be at most " + MAX
                            + " types such as queue.created or queue.*, with commas between them");
                }
                if (type.endsWith(".*")) {
                    prefixes.add(type.substring(0, type.length() - 1));
                } else {
                    exact.add(type);
                }
            }
        }
        return new EventTypes(exact, prefixes);
    }

    boolean include(String type) {
        return exact.isEmpty() && prefixes.isEmpty()
                || exact.contains(type)
                || prefixes.stream().anyMatch(type::startsWith);
    }
}
