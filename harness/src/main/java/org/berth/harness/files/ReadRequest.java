package org.berth.harness.files;

import jakarta.json.Json;
import jakarta.json.JsonObject;
import jakarta.json.JsonObjectBuilder;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.berth.harness.tree.Directory;

/** {@code fs.read}: lines of a text file, as many whole ones as the reply may hold. */
record ReadRequest(Roots roots, FileLimits limits) {
    /** Where the reply's text ends. */
    private record Cut(int end, int lines, boolean withinLine) {}

    JsonObject handle(String cwd, Fields fields) throws FsException, IOException {
        String path = fields.text("path");
        Roots.Located located = roots.locate(cwd, path);
        String text;
        try (Directory above = located.above()) {
            text = new TextFiles(limits.fileBytes()).text(above, named(located, path), path);
        }
        int first = fields.count("offset", 1, Integer.MAX_VALUE);
        int most = fields.count("limit", limits.replyLines(), limits.replyLines());
        int start = startOf(text, first);
        if (start < 0) {
            throw FsException.invalid(path + " has fewer lines than " + first);
        }
        Cut cut = cut(text, start, most);
        String part = text.substring(start, cut.end());
        boolean truncated = cut.end() < text.length();
        JsonObjectBuilder reply = Json.createObjectBuilder()
                .add("path", path)
                .add("absolute", located.absolute().toString())
                .add("text", part)
                .add("firstLine", first)
                .add("lines", cut.lines())
                .add("totalLines", lines(text))
                .add("bytes", part.getBytes(StandardCharsets.UTF_8).length)
                .add("truncated", truncated);
        if (truncated && !cut.withinLine()) {
            reply.add("nextOffset", (long) first + cut.lines());
        }
        return reply.build();
    }

    /** The name of a file; a root itself is a directory. */
    static String named(Roots.Located located, String path) throws FsException {
        if (located.relative().isEmpty()) {
            throw new FsException(FsException.Reason.NOT_A_FILE, path + " is a directory");
        }
        return located.name();
    }

    /** Where line {@code line} starts; -1 when there is none, but the first is always there. */
    private static int startOf(String text, int line) {
        int at = 0;
        for (int i = 1; i < line; i++) {
            int end = text.indexOf('\n', at);
            if (end < 0 || end + 1 == text.length()) {
                return -1;
            }
            at = end + 1;
        }
        return at;
    }

    private Cut cut(String text, int start, int most) {
        int at = start;
        int bytes = 0;
        for (int line = 0; line < most && at < text.length(); line++) {
            int newline = text.indexOf('\n', at);
            int end = newline < 0 ? text.length() : newline + 1;
            bytes += utf8(text, at, end);
            if (bytes > limits.replyBytes()) {
                return line > 0 ? new Cut(at, line, false) : new Cut(within(text, start), 1, true);
            }
            at = end;
            if (at == text.length()) {
                return new Cut(at, line + 1, false);
            }
        }
        return new Cut(at, at == start ? 0 : most, false);
    }

    /** The end of the whole characters that fit. */
    private int within(String text, int start) {
        int at = start;
        int bytes = 0;
        while (at < text.length()) {
            int point = text.codePointAt(at);
            bytes += utf8(point);
            if (bytes > limits.replyBytes()) {
                return at;
            }
            at += Character.charCount(point);
        }
        return at;
    }

    private static int utf8(String text, int start, int end) {
        int bytes = 0;
        for (int at = start; at < end; ) {
            int point = text.codePointAt(at);
            bytes += utf8(point);
            at += Character.charCount(point);
        }
        return bytes;
    }

    /** Source: RFC 3629, 3. */
    private static int utf8(int point) {
        if (point < 0x80) {
            return 1;
        }
        if (point < 0x800) {
            return 2;
        }
        return point < 0x10000 ? 3 : 4;
    }

    private static long lines(String text) {
        long newlines = text.chars().filter(c -> c == '\n').count();
        return text.isEmpty() || text.endsWith("\n") ? newlines : newlines + 1;
    }
}
