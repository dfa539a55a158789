package org.berth.guest.request;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.berth.guest.files.GuestFiles;

/** Reads the options of one request. */
final class RequestParser {
    private final Map<String, String> values = new HashMap<>();

    Request parse(List<String> arguments) {
        for (int i = 0; i < arguments.size(); i++) {
            String argument = arguments.get(i);
            int equals = argument.indexOf('=');
            String name = equals < 0 ? argument : argument.substring(0, equals);
            if (Request.isFlag(argument)) {
                values.put(argument, "");
            } else if (!Request.takesValue(name)) {
                throw new IllegalArgumentException("unknown option " + argument);
            } else if (equals >= 0) {
                values.put(name, argument.substring(equals + 1));
            } else if (++i < arguments.size()) {
                values.put(name, arguments.get(i));
            } else {
                throw new IllegalArgumentException("option " + name + " needs a value");
            }
        }
        String root = text("--root");
        return new Request(
                root == null ? Request.DEFAULT_ROOT : root,
                text("--read"),
                text("--stat"),
                text("--stage"),
                text("--install"),
                text("--put"),
                text("--destination"),
                values.get("--previous"),
                mode(),
                values.containsKey("--prepare"),
                values.containsKey("--identity"),
                text("--stop-native"),
                text("--generation"),
                values.containsKey("--checkpoint-files"));
    }

    /** An empty value is none, as in the reference. */
    private String text(String name) {
        String value = values.get(name);
        return value == null || value.isEmpty() ? null : value;
    }

    private int mode() {
        String mode = values.getOrDefault("--mode", "0600");
        if (mode.equals("0600")) {
            return GuestFiles.PRIVATE;
        }
        if (mode.equals("0700")) {
            return GuestFiles.PROGRAM;
        }
        throw new IllegalArgumentException("a mode is 0600 or 0700");
    }
}
