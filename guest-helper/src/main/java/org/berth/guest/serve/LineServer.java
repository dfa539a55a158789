package org.berth.guest.serve;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.WritableByteChannel;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.berth.guest.Refused.Code;
import org.berth.guest.json.Json;
import org.berth.guest.request.Requests;

/** Answers the requests of one connection, one after another. Used by one thread. */
public final class LineServer {
    /** Bound of a line: {@value} bytes. Source: environments.md, Guest helper. */
    public static final int MAX_LINE = 2 * 1_048_576;

    private static final int FIRST_BYTES = 8192;

    /** What answers. */
    public interface Answers {
        /** @param data what came with the request; null for none */
        Map<String, Object> reply(List<String> arguments, byte[] data);
    }

    private final ReadableByteChannel in;
    private final WritableByteChannel out;
    private final Answers answers;
    private ByteBuffer buffer = ByteBuffer.allocate(FIRST_BYTES).limit(0);

    public LineServer(ReadableByteChannel in, WritableByteChannel out, Answers answers) {
        this.in = in;
        this.out = out;
        this.answers = answers;
    }

    /** Serves until the other side ends. */
    public void run() throws IOException {
        for (byte[] line = readLine(); line != null; line = readLine()) {
            byte[] reply = Json.write(answer(line));
            ByteBuffer whole = ByteBuffer.wrap(Arrays.copyOf(reply, reply.length + 1));
            whole.put(reply.length, (byte) '\n');
            while (whole.hasRemaining()) {
                out.write(whole);
            }
        }
    }

    private Map<String, Object> answer(byte[] line) {
        Map<String, Object> answer = new LinkedHashMap<>();
        answer.put("id", null);
        try {
            Map<String, Object> request = Json.readObject(line);
            if (request.get("id") instanceof Long id) {
                answer.put("id", id);
            }
            List<String> arguments = new ArrayList<>();
            for (Object each : Json.array(request.get("args"))) {
                arguments.add(Json.text(each));
            }
            Object data = request.get("data");
            byte[] bytes = data == null ? null : Base64.getDecoder().decode(Json.text(data));
            answer.put("reply", answers.reply(arguments, bytes));
        } catch (IllegalArgumentException e) {
            answer.put("reply", Requests.refusal(Code.GUEST_UNCONFIRMED));
        }
        return answer;
    }

    /** @return a line without its end; empty for one that is too long; null at the end */
    private byte[] readLine() throws IOException {
        int searched = 0;
        boolean tooLong = false;
        while (true) {
            for (; searched < buffer.remaining(); searched++) {
                if (buffer.get(buffer.position() + searched) == '\n') {
                    byte[] line = new byte[searched];
                    buffer.get(line).get();
                    return tooLong || searched > MAX_LINE ? new byte[0] : line;
                }
            }
            if (searched > MAX_LINE) {
                tooLong = true;
                buffer.position(buffer.limit());
                searched = 0;
            }
            if (!fill()) {
                return null;
            }
        }
    }

    private boolean fill() throws IOException {
        int left = buffer.remaining();
        if (left == buffer.capacity()) {
            buffer = ByteBuffer.allocate(Math.min(2 * left, MAX_LINE + FIRST_BYTES))
                    .put(buffer);
        } else {
            buffer.compact();
        }
        int read = in.read(buffer);
        buffer.flip();
        return read >= 0;
    }
}
