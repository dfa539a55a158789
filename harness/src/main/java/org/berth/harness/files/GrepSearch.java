package org.berth.harness.files;

import jakarta.json.Json;
import jakarta.json.JsonArrayBuilder;
import jakarta.json.JsonObject;
import jakarta.json.JsonObjectBuilder;
import java.io.IOException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.berth.harness.ignore.TreeListing;
import org.berth.harness.tree.Directory;
import org.berth.harness.tree.Entry;
import org.berth.harness.tree.OsException;

/** One search: the matches so far, and why it ended early. For one thread. */
final class GrepSearch {
    /** Bytes that are looked at for a NUL. Source: git's xdiff-interface.c, buffer_is_binary. */
    private static final int BINARY_LOOK_BYTES = 8000;

    private final Pattern pattern;
    private final FileLimits limits;
    private final int mostMatches;
    private final Deadline deadline;
    private final JsonArrayBuilder matches = Json.createArrayBuilder();
    private int count;
    private int replyCharacters;
    private int files;
    private int skipped;
    private String stopped;

    GrepSearch(Pattern pattern, FileLimits limits, int mostMatches, Deadline deadline) {
        this.pattern = pattern;
        this.limits = limits;
        this.mostMatches = mostMatches;
        this.deadline = deadline;
    }

    /** Searches the files of a folder below {@code top}. @return whether to go on */
    boolean folder(Directory top, TreeListing.Folder folder) throws IOException {
        if (folder.files().isEmpty()) {
            return stopped == null;
        }
        try (Directory at = top.descend(folder.path())) {
            for (Entry entry : folder.files()) {
                if (entry.kind() == Entry.Kind.FILE && stopped == null) {
                    file(at, entry.name(), folder.path().isEmpty() ? entry.name() : folder.path() + "/" + entry.name());
                }
            }
        } catch (OsException e) {
            if (!e.isMissing()) {
                throw e;
            }
        }
        if (stopped == null && deadline.isPassed()) {
            stop("time");
        }
        return stopped == null;
    }

    private void file(Directory at, String name, String path) throws IOException {
        String text;
        try {
            byte[] bytes = new TextFiles(limits.fileBytes()).bytes(at, name, path);
            if (isBinary(bytes)) {
                skipped++;
                return;
            }
            text = TextFiles.decode(bytes, path);
        } catch (FsException e) {
            // Another thing by now, too large or not text: counted, as in a search of any tree.
            skipped++;
            return;
        } catch (OsException e) {
            skipped++;
            return;
        }
        files++;
        lines(text, path);
    }

    private static boolean isBinary(byte[] bytes) {
        for (int i = 0; i < Math.min(bytes.length, BINARY_LOOK_BYTES); i++) {
            if (bytes[i] == 0) {
                return true;
            }
        }
        return false;
    }

    private void lines(String text, String path) {
        int number = 1;
        for (int start = 0; start < text.length() && stopped == null; number++) {
            int newline = text.indexOf('\n', start);
            int end = newline < 0 ? text.length() : newline;
            int shownEnd = end > start && text.charAt(end - 1) == '\r' ? end - 1 : end;
            String line = text.substring(start, shownEnd);
            Matcher matcher = pattern.matcher(deadline.guarding(line));
            if (matcher.find()) {
                add(path, number, line.codePointCount(0, matcher.start()) + 1, line);
            }
            start = end + 1;
        }
    }

    private void add(String path, int line, int column, String text) {
        if (count == mostMatches) {
            stop("matches");
            return;
        }
        String shown = cut(text);
        replyCharacters += shown.length() + path.length();
        if (replyCharacters > limits.replyBytes()) {
            stop("bytes");
            return;
        }
        count++;
        matches.add(Json.createObjectBuilder()
                .add("path", path)
                .add("line", line)
                .add("column", column)
                .add("text", shown));
    }

    private String cut(String text) {
        if (text.length() <= limits.lineCharacters()) {
            return text;
        }
        int end = limits.lineCharacters();
        return text.substring(0, Character.isHighSurrogate(text.charAt(end - 1)) ? end - 1 : end);
    }

    /** Ends the search before its time. */
    void stop(String why) {
        stopped = why;
    }

    JsonObject reply(String absolute) {
        JsonObjectBuilder reply = Json.createObjectBuilder()
                .add("absolute", absolute)
                .add("matches", matches)
                .add("files", files)
                .add("skipped", skipped)
                .add("truncated", stopped != null);
        if (stopped != null) {
            reply.add("stopped", stopped);
        }
        return reply.build();
    }
}
