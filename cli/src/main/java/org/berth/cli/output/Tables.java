package org.berth.cli.output;

import jakarta.json.JsonObject;
import jakarta.json.JsonValue;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.berth.cli.api.Json;

/** Columns that line up, for people. Control characters of a value never reach the terminal. */
public final class Tables {
    private static final String GAP = "  ";

    private final PrintStream out;
    private final Style style;

    public Tables(PrintStream out, Style style) {
        this.out = out;
        this.style = style;
    }

    /** Prints {@code rows} under {@code headings}; every row has as many cells. A null cell is empty. */
    public void print(List<String> headings, List<List<String>> rows) {
        int[] widths = headings.stream().mapToInt(String::length).toArray();
        List<List<String>> safe = rows.stream()
                .map(row -> row.stream().map(Tables::safe).toList())
                .toList();
        for (List<String> row : safe) {
            for (int i = 0; i < widths.length; i++) {
                widths[i] = Math.max(widths[i], width(row.get(i)));
            }
        }
        line(headings, widths, style::heading);
        safe.forEach(row -> line(row, widths, style::state));
        out.flush();
    }

    /** Prints an object's members one a line; nested objects with dotted names. */
    public void describe(JsonObject object) {
        List<List<String>> pairs = new ArrayList<>();
        flatten("", object, pairs);
        int width = pairs.stream().mapToInt(pair -> width(pair.get(0))).max().orElse(0);
        for (List<String> pair : pairs) {
            out.println(style.heading(padded(pair.get(0), width)) + GAP + style.state(pair.get(1)));
        }
        out.flush();
    }

    /** {@code text} without what could steer a terminal. */
    public static String safe(String text) {
        if (text == null) {
            return "";
        }
        StringBuilder safe = new StringBuilder(text.length());
        text.codePoints().forEach(point -> safe.appendCodePoint(Character.isISOControl(point) ? '\ufffd' : point));
        return safe.toString();
    }

    private static void flatten(String prefix, JsonObject object, List<List<String>> pairs) {
        for (Map.Entry<String, JsonValue> entry : object.entrySet()) {
            String name = prefix + entry.getKey();
            if (entry.getValue() instanceof JsonObject nested && !nested.isEmpty()) {
                flatten(name + ".", nested, pairs);
                continue;
            }
            String plain = Json.plain(entry.getValue());
            if (plain != null) {
                pairs.add(List.of(
                        safe(name), safe(name.endsWith("_at") || name.endsWith("At") ? Times.local(plain) : plain)));
            }
        }
    }

    private void line(List<String> cells, int[] widths, UnaryOperator<String> look) {
        StringBuilder line = new StringBuilder();
        for (int i = 0; i < widths.length; i++) {
            boolean last = i == widths.length - 1;
            line.append(look.apply(last ? cells.get(i) : padded(cells.get(i), widths[i])));
            line.append(last ? "" : GAP);
        }
        out.println(line.toString().stripTrailing());
    }

    private static String padded(String text, int width) {
        return text + " ".repeat(Math.max(0, width - width(text)));
    }

    private static int width(String text) {
        return text.codePointCount(0, text.length());
    }
}
