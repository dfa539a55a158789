package org.berth.process.protocol;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.berth.placement.OutputStreamKind;
import org.berth.placement.OutputTruncation;

/**
 * The format of an attempt's log directory, and its reader.
 *
 * <p>While the attempt lives, each stream is in parts {@code stdout.OFFSET.part}, where {@code OFFSET} is the place of
 * the part's first byte in the whole stream; parts of one stream follow each other without a gap, and the oldest ones
 * are removed once the newer ones hold more than the limit. {@code log.json} holds the limits and how much was produced
 * when it was written. At the end each stream is one file {@code stdout.log} ({@code stderr.log}, {@code tty.log}) with
 * exactly the kept bytes, and {@code log.json} has the final counts and {@code "complete":true}. Kept plus dropped is
 * produced, per stream. Directories have mode 0700, files 0600.
 */
public final class LogFiles {
    public static final String SUMMARY = "log.json";

    private static final Pattern PART = Pattern.compile("(stdout|stderr|tty)\\.(\\d+)\\.part");
    private static final Pattern LIMITS =
            Pattern.compile("\"on\":(true|false),\"bytes\":(\\d+),\"lines\":(\\d+),\"head\":(true|false)");
    private static final Pattern COUNTS =
            Pattern.compile("\"(stdout|stderr|tty)\":\\{\"produced\":(\\d+),\"kept\":(\\d+),"
                    + "\"dropped\":(\\d+),\"ended\":(true|false),\"truncated\":(true|false)}");

    /** How often a reading starts again because the writer moved on in the middle of it. */
    private static final int READINGS = 20;

    private LogFiles() {}

    /**
     * The counts of one stream, in bytes.
     *
     * @param ended the stream's end was seen
     * @param truncated the end was made by the drain's time, not by the child
     */
    public record Counts(long produced, long kept, long dropped, boolean ended, boolean truncated) {}

    /** What {@code log.json} says. */
    public record Summary(OutputTruncation limits, boolean complete, Map<OutputStreamKind, Counts> streams) {}

    /** What is kept of one stream: its first or its last bytes, as the limits say. */
    public record Kept(byte[] bytes, Counts counts) {
        /** The bytes as text; a character that the cut split is left out, a malformed one is replaced. */
        public String text() {
            int from = 0;
            while (counts.dropped() > 0 && from < Math.min(3, bytes.length) && (bytes[from] & 0xc0) == 0x80) {
                from++;
            }
            int end = counts.dropped() > 0 ? wholeCharacters(bytes, from) : bytes.length;
            return new String(bytes, from, end - from, StandardCharsets.UTF_8);
        }

        private static int wholeCharacters(byte[] bytes, int from) {
            for (int back = 1; back <= 3 && bytes.length - back >= from; back++) {
                int lead = bytes[bytes.length - back] & 0xff;
                if (lead >= 0xc0) {
                    int needed = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
                    return needed > back ? bytes.length - back : bytes.length;
                }
                if (lead < 0x80) {
                    break;
                }
            }
            return bytes.length;
        }
    }

    public static String name(OutputStreamKind stream) {
        return stream.name().toLowerCase(Locale.ROOT);
    }

    /** The file that holds a stream's kept bytes once the attempt has ended. */
    public static Path whole(Path directory, OutputStreamKind stream) {
        return directory.resolve(name(stream) + ".log");
    }

    /** The file whose first byte is byte {@code offset} of the stream. */
    public static Path part(Path directory, OutputStreamKind stream, long offset) {
        return directory.resolve(name(stream) + "." + offset + ".part");
    }

    /** The text of {@code log.json}. */
    public static String format(Summary summary) {
        OutputTruncation limits = summary.limits();
        StringBuilder json = new StringBuilder("{\"complete\":")
                .append(summary.complete())
                .append(",\"limits\":{\"on\":")
                .append(limits.on())
                .append(",\"bytes\":")
                .append(limits.bytes())
                .append(",\"lines\":")
                .append(limits.lines())
                .append(",\"head\":")
                .append(limits.keepHead())
                .append("},\"streams\":{");
        String comma = "";
        for (Map.Entry<OutputStreamKind, Counts> each : summary.streams().entrySet()) {
            Counts counts = each.getValue();
            json.append(comma).append('"').append(name(each.getKey())).append("\":{\"produced\":");
            json.append(counts.produced()).append(",\"kept\":").append(counts.kept());
            json.append(",\"dropped\":").append(counts.dropped());
            json.append(",\"ended\":").append(counts.ended());
            json.append(",\"truncated\":").append(counts.truncated()).append('}');
            comma = ",";
        }
        return json.append("}}\n").toString();
    }

    /** @throws IOException when the text is not one of {@link #format} */
    public static Summary parse(String json) throws IOException {
        Matcher limits = LIMITS.matcher(json);
        if (!limits.find()) {
            throw new IOException(SUMMARY + " is malformed");
        }
        Map<OutputStreamKind, Counts> streams = new EnumMap<>(OutputStreamKind.class);
        Matcher counts = COUNTS.matcher(json);
        while (counts.find()) {
            streams.put(
                    kind(counts.group(1)),
                    new Counts(
                            Long.parseLong(counts.group(2)),
                            Long.parseLong(counts.group(3)),
                            Long.parseLong(counts.group(4)),
                            counts.group(5).equals("true"),
                            counts.group(6).equals("true")));
        }
        return new Summary(
                new OutputTruncation(
                        limits.group(1).equals("true"),
                        Long.parseLong(limits.group(2)),
                        Long.parseLong(limits.group(3)),
                        limits.group(4).equals("true")),
                json.startsWith("{\"complete\":true"),
                streams);
    }

    private static OutputStreamKind kind(String name) {
        return OutputStreamKind.valueOf(name.toUpperCase(Locale.ROOT));
    }

    /** The summary of a log. @throws NoSuchFileException when the directory has none */
    public static Summary summary(Path directory) throws IOException {
        return parse(new String(readNoFollow(directory.resolve(SUMMARY)), StandardCharsets.UTF_8));
    }

    /** What is kept now of one stream; also while the attempt writes. @throws NoSuchFileException without a log */
    public static Kept read(Path directory, OutputStreamKind stream) throws IOException {
        IOException moved = null;
        for (int i = 0; i < READINGS; i++) {
            try {
                return readOnce(directory, stream);
            } catch (NoSuchFileException e) {
                if (!Files.exists(directory.resolve(SUMMARY), LinkOption.NOFOLLOW_LINKS)) {
                    throw e;
                }
                moved = e;
            }
        }
        throw moved;
    }

    private static Kept readOnce(Path directory, OutputStreamKind stream) throws IOException {
        Summary summary = summary(directory);
        Counts counts = summary.streams().getOrDefault(stream, new Counts(0, 0, 0, false, false));
        if (summary.complete()) {
            byte[] bytes = summary.streams().containsKey(stream) ? readNoFollow(whole(directory, stream)) : new byte[0];
            return new Kept(bytes, counts);
        }
        List<Long> offsets = offsets(directory, stream);
        if (offsets.isEmpty()) {
            if (summary.streams().containsKey(stream)) {
                throw new NoSuchFileException(part(directory, stream, 0).toString());
            }
            return new Kept(new byte[0], counts);
        }
        List<byte[]> parts = new ArrayList<>();
        int length = 0;
        for (long offset : offsets) {
            byte[] part = readNoFollow(part(directory, stream, offset));
            parts.add(part);
            length += part.length;
        }
        ByteBuffer all = ByteBuffer.allocate(length);
        parts.forEach(all::put);
        byte[] kept = cut(all.array(), summary.limits());
        long produced = Math.max(counts.produced(), offsets.getFirst() + length);
        return new Kept(
                kept, new Counts(produced, kept.length, produced - kept.length, counts.ended(), counts.truncated()));
    }

    /** The offsets of a stream's parts, oldest first. */
    public static List<Long> offsets(Path directory, OutputStreamKind stream) throws IOException {
        List<Long> offsets = new ArrayList<>();
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(directory)) {
            for (Path entry : entries) {
                Matcher matcher = PART.matcher(entry.getFileName().toString());
                if (matcher.matches() && matcher.group(1).equals(name(stream))) {
                    offsets.add(Long.parseLong(matcher.group(2)));
                }
            }
        }
        offsets.sort(Comparator.naturalOrder());
        return offsets;
    }

    /** The longest beginning or end of {@code bytes} within the limits. */
    public static byte[] cut(byte[] bytes, OutputTruncation limits) {
        if (!limits.on()) {
            return bytes;
        }
        if (limits.keepHead()) {
            int most = (int) Math.min(limits.bytes(), bytes.length);
            long lines = 0;
            int end = 0;
            while (end < most && lines < limits.lines()) {
                lines += bytes[end++] == '\n' ? 1 : 0;
            }
            return Arrays.copyOf(bytes, end);
        }
        int least = (int) Math.max(0, bytes.length - limits.bytes());
        int from = bytes.length;
        long newlines = 0;
        while (from > least) {
            if (from < bytes.length && bytes[from - 1] == '\n' && ++newlines >= limits.lines()) {
                break;
            }
            if (limits.lines() == 0) {
                break;
            }
            from--;
        }
        return Arrays.copyOfRange(bytes, from, bytes.length);
    }

    private static byte[] readNoFollow(Path file) throws IOException {
        try (FileChannel channel = FileChannel.open(file, Set.of(StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS))) {
            ByteBuffer bytes = ByteBuffer.allocate((int) Math.min(channel.size(), Integer.MAX_VALUE - 8));
            while (bytes.hasRemaining() && channel.read(bytes) >= 0) {
                // Until the size that it had when it was opened.
            }
            return Arrays.copyOf(bytes.array(), bytes.position());
        }
    }
}
