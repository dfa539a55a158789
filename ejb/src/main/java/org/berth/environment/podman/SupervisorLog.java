package org.berth.environment.podman;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.berth.engine.Engine;
import org.berth.environment.driver.RefusalLog;

/** What the supervisor container says. */
final class SupervisorLog {
    private static final int MOST = 100;
    private static final int HEAD_BYTES = 8;
    private static final int LENGTH_AT = 4;

    private SupervisorLog() {}

    /** The newest refusals, newest last, and a sentence when the supervisor does not run. */
    static List<String> refusals(Engine engine, String supervisor) throws IOException {
        Engine.Answer found = engine.read("containers/" + Engine.encoded(supervisor) + "/json");
        if (found.status() == Engine.MISSING) {
            return List.of("The supervisor container is not there: nothing is let out.");
        }
        List<String> sentences = new ArrayList<>(RefusalLog.sentences(lines(engine.logged(supervisor, MOST))));
        if (found.tree() instanceof Map<?, ?> whole
                && whole.get("State") instanceof Map<?, ?> state
                && !Boolean.TRUE.equals(state.get("Running"))) {
            sentences.add("The supervisor container is " + state.get("Status") + ": nothing is let out.");
        }
        return sentences.subList(Math.max(0, sentences.size() - MOST), sentences.size());
    }

    /** The lines in frames of eight bytes of head, whose last four are the length. */
    static List<String> lines(byte[] framed) {
        ByteArrayOutputStream text = new ByteArrayOutputStream();
        ByteBuffer rest = ByteBuffer.wrap(framed);
        while (rest.remaining() >= HEAD_BYTES) {
            int length = rest.getInt(rest.position() + LENGTH_AT);
            rest.position(rest.position() + HEAD_BYTES);
            int count = Math.clamp(length, 0, rest.remaining());
            text.write(framed, rest.position(), count);
            rest.position(rest.position() + count);
        }
        return text.toString(StandardCharsets.UTF_8).lines().toList();
    }
}
