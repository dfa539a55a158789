package org.berth.bench;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** An HTTP answer; its members are found by name, which is enough for flat figures. */
record Answer(int status, String body) {
    /** The first whole number with that name. @throws BenchmarkException when there is none */
    long number(String name) {
        return Long.parseLong(found(name, "(-?\\d+)"));
    }

    /** The first text with that name. @throws BenchmarkException when there is none */
    String text(String name) {
        return found(name, "\"([^\"]*)\"");
    }

    boolean has(String name) {
        return body.contains("\"" + name + "\":");
    }

    /** @throws BenchmarkException for another status than 2xx */
    Answer accepted() {
        if (status / 100 != 2) {
            throw new BenchmarkException("the server answered " + status + ": " + body);
        }
        return this;
    }

    private String found(String name, String value) {
        Matcher matcher = Pattern.compile("\"" + Pattern.quote(name) + "\"\\s*:\\s*" + value)
                .matcher(body);
        if (!matcher.find()) {
            throw new BenchmarkException("no " + name + " in " + body);
        }
        return matcher.group(1);
    }
}
