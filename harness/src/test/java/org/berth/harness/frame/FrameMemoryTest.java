package org.berth.harness.frame;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What the gate holds, whatever arrives: in a process whose heap has no room for more. */
class FrameMemoryTest {
    private static final int HEAP_MEBIBYTES = 44;

    /** Feeds lines of any size to the default gate; prints what it answered and the most that the splitter held. */
    static final class Flood {
        private static final byte[] CHUNK = new byte[FrameLimits.READ_BYTES];

        private final Map<String, Integer> answers = new HashMap<>();
        private FrameSplitter splitter = fresh();
        private int mostHeld;

        private FrameSplitter fresh() {
            Gate gate = new Gate(
                    FrameLimits.DEFAULT,
                    "fs.read"::equals,
                    line -> count(new String(line, StandardCharsets.US_ASCII).contains("\"ok\"") ? "ok" : "refused"),
                    this::decided);
            return new FrameSplitter(FrameLimits.DEFAULT, gate);
        }

        private void decided(Admission decision) {
            switch (decision) {
                case Admission.Accepted accepted -> accepted.reply().ok(jakarta.json.JsonValue.TRUE);
                case Admission.Refused refused -> {}
                case Admission.Event event -> count("passed");
                case Admission.Dropped dropped -> count("dropped");
                case Admission.Fault fault -> count(fault.fault().reason().name());
            }
        }

        private void count(String answer) {
            answers.merge(answer, 1, Integer::sum);
        }

        /** A line of {@code byteCount} bytes: a start, a filling and an end, never stored as a whole. */
        private void line(String start, long byteCount, String end) {
            feed(start);
            Arrays.fill(CHUNK, (byte) 'p');
            long left = byteCount - start.length() - end.length();
            while (left > 0) {
                int count = (int) Math.min(CHUNK.length, left);
                splitter.feed(CHUNK, 0, count);
                mostHeld = Math.max(mostHeld, splitter.heldBytes());
                left -= count;
            }
            feed(end + "\n");
        }

        private void feed(String text) {
            byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
            splitter.feed(bytes, 0, bytes.length);
            mostHeld = Math.max(mostHeld, splitter.heldBytes());
        }

        public static void main(String[] arguments) {
            Flood flood = new Flood();
            int limit = FrameLimits.DEFAULT.lineBytes();
            flood.line("{\"event\": \"host_request\", \"id\": \"huge\", \"data\": \"", 10L << 30, "\"}");
            flood.line("{\"event\": \"stdout\", \"data\": \"", 100L << 20, "\"}");
            for (int i = 0; i < 3; i++) {
                String id = "full" + i;
                flood.line(
                        "{\"event\": \"host_request\", \"id\": \"" + id
                                + "\", \"data\": {\"type\": \"fs.read\", \"x\": \"",
                        limit,
                        "\"}}");
                flood.line("{\"event\": \"display\", \"data\": \"", limit, "\"}");
                flood.line("{\"event\": \"display\", \"data\": \"", limit + 1L, "\"}");
            }
            for (int i = 0; i < 2000; i++) {
                flood.line(
                        "{\"event\": \"host_request\", \"id\": \"" + i + "i".repeat(4000) + "\", \"data\": {\"x\": \"",
                        5000,
                        "\"}}");
            }
            flood.line("garbage", 1L << 30, "");
            System.out.println(new java.util.TreeMap<>(flood.answers) + " " + flood.mostHeld);
        }
    }

    @Test
    void aGateNeverHoldsMoreThanALineAndTheSlack() throws IOException, InterruptedException {
        Process flood = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx" + HEAP_MEBIBYTES + "m",
                        "-XX:+UseSerialGC",
                        "-Xshare:auto",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Flood.class.getName())
                .redirectErrorStream(true)
                .start();
        String said = new String(flood.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
        assertThat(flood.waitFor()).as(said).isZero();
        List<String> words = List.of(said.split("} "));
        assertThat(words.getFirst()).isEqualTo("{OVERSIZED=1, dropped=4, ok=3, passed=3, refused=2001");
        assertThat(Integer.parseInt(words.getLast()))
                .isGreaterThanOrEqualTo(FrameLimits.DEFAULT.lineBytes())
                .isLessThanOrEqualTo(FrameLimits.DEFAULT.lineBytes() + FrameLimits.SLACK_BYTES);
    }
}
