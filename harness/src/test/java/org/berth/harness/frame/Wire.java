package org.berth.harness.frame;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;
import org.berth.harness.frame.model.ModelLine;

/** Writes lines as a kernel's runtime does, at an exact length. */
final class Wire {
    private Wire() {}

    static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    static byte[] request(String id, String type, int byteCount) {
        String start = "{\"event\": \"host_request\", \"id\": \"" + id + "\", \"data\": {"
                + (type == null ? "" : "\"type\": \"" + type + "\", ") + "\"pad\": \"";
        return padded(start, "\"}}", byteCount);
    }

    static byte[] event(String name, int byteCount) {
        return padded("{\"event\": \"" + name + "\", \"id\": null, \"data\": \"", "\"}", byteCount);
    }

    private static byte[] padded(String start, String end, int byteCount) {
        int pad = byteCount - bytes(start).length - bytes(end).length;
        if (pad < 0) {
            throw new IllegalArgumentException("a line of " + byteCount + " bytes is too short for " + start + end);
        }
        return bytes(start + "p".repeat(pad) + end);
    }

    /** The bytes of {@code line}, without a newline; what it leaves open comes from {@code random}. */
    static byte[] bytes(ModelLine line, Random random) {
        int count = Math.toIntExact(line.byteCount());
        return switch (line) {
            case ModelLine.Request request ->
                request(request.id(), request.type().orElse(null), count);
            case ModelLine.Event event -> event(event.name(), count);
            case ModelLine.Garbage garbage -> garbage(garbage.utf8(), count, random);
        };
    }

    private static byte[] garbage(boolean utf8, int count, Random random) {
        if (!utf8) {
            byte[] line = bytes("x".repeat(count));
            line[random.nextInt(Math.min(count, 20))] = (byte) (random.nextBoolean() ? 0xff : 0x80);
            return line;
        }
        List<String> starts =
                List.of("", "[1, 2]", "\"text\"", "{\"id\": \"a\"}", "{event: 1}", "12", "{\"event\": 7}", "é");
        String start = starts.get(random.nextInt(starts.size()));
        int pad = count - bytes(start).length;
        return pad < 0 ? bytes("g".repeat(count)) : bytes(start + "g".repeat(pad));
    }

    /** The lines, each with its newline. */
    static byte[] stream(List<byte[]> lines) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (byte[] line : lines) {
            all.writeBytes(line);
            all.write('\n');
        }
        return all.toByteArray();
    }
}
