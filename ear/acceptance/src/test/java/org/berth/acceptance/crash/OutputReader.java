package org.berth.acceptance.crash;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.Map;
import org.berth.acceptance.Answer;
import org.berth.acceptance.Api;
import org.berth.acceptance.Await;
import org.berth.acceptance.Json;

/** A client that keeps what it received over several servers: a sequence that it has is dropped, a gap is an error. */
final class OutputReader {
    private final String id;
    private final ByteArrayOutputStream stdout = new ByteArrayOutputStream();
    private long generation;
    private long last;
    private int ends;

    OutputReader(String id) {
        this.id = id;
    }

    OutputReader attach(Api api) {
        generation = api.attach(id).expect(200).number("generation");
        return this;
    }

    /** One poll; whether it brought a chunk. */
    boolean poll(Api api, boolean acknowledge) {
        Answer answer = api.get(Api.ATTEMPTS + "/" + id + "/output?generation=" + generation + "&wait=1")
                .expect(200);
        long before = last;
        for (Map<String, Object> chunk : Json.objects(answer.json(), "chunks")) {
            long sequence = (Long) chunk.get("sequence");
            if (sequence <= last) {
                continue;
            }
            assertThat(sequence).as("sequences of %s", id).isEqualTo(last + 1);
            assertThat(chunk.get("truncated"))
                    .as("chunk %s of %s", sequence, id)
                    .isNotEqualTo(true);
            last = sequence;
            if (Boolean.TRUE.equals(chunk.get("eof"))) {
                ends++;
            } else if ("stdout".equals(chunk.get("stream"))) {
                stdout.writeBytes(Base64.getDecoder().decode((String) chunk.get("data")));
            }
        }
        if (acknowledge && last > 0) {
            api.post(Api.ATTEMPTS + "/" + id + "/ack", Map.of("generation", generation, "consumed_through", last));
        }
        return last > before;
    }

    /** Reads and acknowledges until both streams ended. */
    OutputReader readToEnd(Api api) {
        Await.until("the end of the output of " + id, Duration.ofSeconds(60), () -> {
            if (ends < 2) {
                poll(api, true);
            }
            return ends == 2;
        });
        return this;
    }

    byte[] bytes() {
        return stdout.toByteArray();
    }

    String text() {
        return stdout.toString(StandardCharsets.UTF_8);
    }
}
