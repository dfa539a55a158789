package org.berth.harness.frame;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.json.Json;
import jakarta.json.JsonReader;
import jakarta.json.JsonValue;
import java.io.ByteArrayInputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FrameGateTest {
    private static final FrameLimits LIMITS = new FrameLimits(1000, 200, 8);

    private static Host host() {
        return new Host(LIMITS, Set.of("fs.read"));
    }

    private static String only(Host host) {
        assertThat(host.transcript).hasSize(1);
        return host.transcript.getFirst();
    }

    @Test
    void everyByteAtEveryPlaceOfAStringIsJudgedByItself() {
        String shortEscapes = "\"\\/bfnrt";
        for (int value = 0; value < 256; value++) {
            for (int place = 0; place < 40; place++) {
                boolean plain = value >= 0x20 && value < 0x80 && value != '"' && value != '\\';
                assertThat(passes(place, (byte) value))
                        .as("%x at %d", value, place)
                        .isEqualTo(plain);
                assertThat(passes(place, (byte) '\\', (byte) value))
                        .as("a backslash and %x at %d", value, place)
                        .isEqualTo(shortEscapes.indexOf(value) >= 0);
            }
        }
    }

    /** Whether a frame passes with a string that has {@code bytes} behind {@code place} letters. */
    private static boolean passes(int place, byte... bytes) {
        byte[] start = ("{\"event\":\"stdout\",\"data\":\"" + "p".repeat(place)).getBytes(StandardCharsets.US_ASCII);
        byte[] end = ("p".repeat(40 - place) + "\"}\n").getBytes(StandardCharsets.US_ASCII);
        ByteBuffer line = ByteBuffer.allocate(start.length + bytes.length + end.length);
        Host host = host();
        host.splitter.feed(line.put(start).put(bytes).put(end).flip());
        return host.transcript.equals(List.of("pass stdout"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "garbage",
                "{",
                "{}",
                "[]",
                "null",
                "{\"event\":\"stdout\"} {}",
                "{\"event\":\"stdout\",}",
                "{\"event\":\"stdout\"",
                "{\"event\":\"stdout\",\"data\":[1,]}",
                "{\"event\":\"stdout\",\"data\":01}",
                "{\"event\":\"stdout\",\"data\":1.}",
                "{\"event\":\"stdout\",\"data\":.5}",
                "{\"event\":\"stdout\",\"data\":-}",
                "{\"event\":\"stdout\",\"data\":+1}",
                "{\"event\":\"stdout\",\"data\":1e}",
                "{\"event\":\"stdout\",\"data\":NaN}",
                "{\"event\":\"stdout\",\"data\":tru}",
                "{\"event\":\"stdout\",\"data\":\"a\tb\"}",
                "{\"event\":\"stdout\",\"data\":\"\\x\"}",
                "{\"event\":\"stdout\",\"data\":\"\\u12g4\"}",
                "{\"event\":\"stdout\",\"data\":[}",
                "{\"event\":\"stdout\",\"data\":{]}",
                "{\"event\":\"stdout\" \"id\":1}",
                "{\"event\" \"stdout\"}",
                "{event:\"stdout\"}",
                "{\"event\":7}",
                "{\"event\":\"stdout\",\"event\":\"host_request\",\"id\":\"a\",\"data\":{\"type\":\"fs.read\"}}",
                "{\"event\":\"host_request\",\"id\":\"a\",\"id\":\"b\",\"data\":{\"type\":\"fs.read\"}}",
                "{\"event\":\"host_request\",\"id\":\"a\",\"data\":{\"type\":\"fs.read\",\"ty\\u0070e\":\"x\"}}",
                "{\"event\":\"host_request\",\"id\":\"a\",\"data\":{},\"data\":{\"type\":\"fs.read\"}}",
                "{\"event\":\"host_request\",\"id\":7,\"data\":{\"type\":\"fs.read\"}}",
                "{\"event\":\"host_request\",\"data\":{\"type\":\"fs.read\"}}"
            })
    void aLineThatIsNoFrameIsOneFault(String line) {
        Host host = host();
        host.feed(line + "\n");
        assertThat(only(host)).isEqualTo("fault NOT_A_FRAME");
        host.feed("{\"event\":\"stdout\"}\n");
        assertThat(host.transcript).hasSize(1);
    }

    @Test
    void aLineThatIsNotUtf8IsOneFault() {
        List<byte[]> sequences = List.of(
                new byte[] {(byte) 0x80},
                new byte[] {(byte) 0xc0, (byte) 0x80},
                new byte[] {(byte) 0xc1, (byte) 0xbf},
                new byte[] {(byte) 0xc3},
                new byte[] {(byte) 0xe0, (byte) 0x9f, (byte) 0xbf},
                new byte[] {(byte) 0xed, (byte) 0xa0, (byte) 0x80},
                new byte[] {(byte) 0xe2, (byte) 0x82},
                new byte[] {(byte) 0xf0, (byte) 0x8f, (byte) 0xbf, (byte) 0xbf},
                new byte[] {(byte) 0xf4, (byte) 0x90, (byte) 0x80, (byte) 0x80},
                new byte[] {(byte) 0xf5, (byte) 0x80, (byte) 0x80, (byte) 0x80},
                new byte[] {(byte) 0xff});
        for (byte[] sequence : sequences) {
            for (boolean inside : new boolean[] {true, false}) {
                for (int read : new int[] {1, 1000}) {
                    Host host = host();
                    String text = new String(sequence, StandardCharsets.ISO_8859_1);
                    byte[] line = ((inside ? "{\"event\":\"stdout\",\"data\":\"" + text + "\"}" : text) + "\n")
                            .getBytes(StandardCharsets.ISO_8859_1);
                    host.feed(line, new Random(read), read);
                    assertThat(only(host)).isEqualTo("fault NOT_UTF8");
                }
            }
        }
    }

    @Property
    void whatIsWellFormedIsOneEventWhateverItHoldsAndHoweverItIsCut(@ForAll("values") String json, @ForAll long seed) {
        String line = "{\"event\":\"result\",\"id\":\"x\",\"data\":" + json + "}";
        Host host = new Host(new FrameLimits(1 << 22, 200, 8), Set.of());
        host.feed(Wire.bytes(line + "\n"), new Random(seed), 1 + (int) (seed & 63));
        assertThat(only(host)).isEqualTo("pass result");
    }

    @Provide
    Arbitrary<String> values() {
        Arbitrary<String> texts = Arbitraries.strings()
                .withChars("aé€😀\"\\\n\u0001\u007f ~")
                .ofMaxLength(60)
                .map(text -> Json.createValue(text).toString());
        Arbitrary<String> leaves = Arbitraries.oneOf(
                texts,
                Arbitraries.of(
                        "0", "-0.5e-7", "12", "1E+2", "true", "false", "null", "[]", "{}", "[ ]", "\"\\u00e9\\/\""));
        return Arbitraries.lazyOf(
                () -> leaves,
                () -> leaves,
                () -> values().list().ofMaxSize(3).map(list -> "[" + String.join(" , ", list) + "]"),
                // Once each, since a value that stands twice at every depth outgrows the limit of a line.
                () -> values().map(value -> "{\"type\":" + value + ",\"id\":7}"),
                () -> values().map(value -> "{\"id\":" + value + ",\"type\":\"t\"}"));
    }

    @Property
    void theScannerAgreesWithAParserOnAnyDamage(@ForAll("values") String json, @ForAll int place, @ForAll byte with) {
        byte[] line = Wire.bytes("{\"event\":\"result\",\"data\":" + json + "}");
        line[Math.floorMod(place, line.length)] = with == '\n' ? (byte) ' ' : with;
        Host host = new Host(new FrameLimits(1 << 22, 200, 8), Set.of());
        host.feed(Wire.stream(List.of(line)), new Random(place), 40);
        boolean wellFormed;
        String event = null;
        try (JsonReader reader = Json.createReader(new java.io.StringReader(StandardCharsets.UTF_8
                .newDecoder()
                .decode(ByteBuffer.wrap(line))
                .toString()))) {
            event = reader.readObject().get("event") instanceof jakarta.json.JsonString name ? name.getString() : null;
            wellFormed = true;
        } catch (jakarta.json.JsonException | java.nio.charset.CharacterCodingException e) {
            wellFormed = false;
        }
        if (!wellFormed || event == null) {
            assertThat(only(host)).startsWith("fault");
        } else {
            assertThat(only(host)).isIn("pass " + event, "fault NOT_A_FRAME");
        }
    }

    @Test
    void nestingIsBounded() {
        for (int depth : new int[] {FrameScanner.MAX_DEPTH - 1, FrameScanner.MAX_DEPTH}) {
            Host host = new Host(new FrameLimits(100_000, 200, 8), Set.of());
            host.feed("{\"event\":\"result\",\"data\":" + "[".repeat(depth) + "]".repeat(depth) + "}\n");
            assertThat(only(host)).isEqualTo(depth < FrameScanner.MAX_DEPTH ? "pass result" : "fault NOT_A_FRAME");
        }
    }

    @Test
    void anIdComesBackAsItCame() {
        Host host = host();
        host.feed("{\"event\":\"host_request\",\"id\":\"a\\\"\\u0007é\\ud800\",\"data\":{\"type\":\"no\"}}\n");
        assertThat(only(host))
                .isEqualTo("reply {\"type\":\"host_reply\",\"id\":\"a\\\"\\u0007\\u00e9\\ud800\",\"data\":{\"status\":"
                        + "\"error\",\"error\":\"the host serves no request of type no\"}}");
    }

    @Test
    void anIdThatIsLongerThanTheHeadIsAFault() {
        Host host = host();
        host.feed("{\"event\":\"host_request\",\"id\":\"" + "i".repeat(201) + "\",\"data\":{\"type\":\"fs.read\"}}\n");
        assertThat(only(host)).isEqualTo("fault NOT_A_FRAME");
    }

    @Test
    void aRefusalIsAnsweredBeforeTheRestOfAnOversizedLineArrives() {
        Host host = host();
        byte[] line = Wire.request("big", "fs.read", 5000);
        host.splitter.feed(line, 0, 1001);
        assertThat(only(host)).contains("over the limit of 1000 bytes");
        host.splitter.feed(line, 1001, line.length);
        host.feed("\n{\"event\":\"stdout\"}\n");
        assertThat(host.transcript).hasSize(2).last().isEqualTo("pass stdout");
    }

    @Test
    void anIdInFlightIsUsedHoweverManyCameAfterIt() {
        Host host = host();
        host.feed(Wire.stream(List.of(Wire.request("first", "fs.read", 100))), new Random(1), 50);
        for (int i = 0; i < 20; i++) {
            host.feed(new String(Wire.request("x" + i, "none", 100), StandardCharsets.UTF_8) + "\n");
        }
        host.feed(new String(Wire.request("first", "fs.read", 100), StandardCharsets.UTF_8) + "\n");
        assertThat(host.replies.getLast()).contains("\"id\":\"first\"").contains("\"status\":\"duplicate\"");
        host.runAll();
        assertThat(host.replies.getLast()).contains("\"id\":\"first\"").contains("\"status\":\"ok\"");
        assertThat(host.ran).containsExactly("first");
    }

    @Test
    void aUsedIdIsADuplicateWhateverElseIsWrongWithTheFrame() {
        Host host = host();
        host.feed(
                Wire.stream(List.of(
                        Wire.request("a", "fs.read", 100),
                        Wire.request("a", null, 100),
                        Wire.request("a", "none", 100),
                        Wire.request("a", "fs.read", 2000))),
                new Random(2),
                300);
        assertThat(host.replies).hasSize(3).allMatch(reply -> reply.contains("\"status\":\"duplicate\""));
    }

    @Test
    void outputThatIsTooLargeIsDroppedAndAnyOtherEventIsAFault() {
        for (String name : List.of("stdout", "stderr", "display")) {
            Host host = host();
            host.feed(Wire.stream(List.of(Wire.event(name, 1001), Wire.event(name, 1000))), new Random(3), 99);
            assertThat(host.transcript).containsExactly("drop " + name, "pass " + name);
        }
        for (String name : List.of("done", "result", "error", "ready", "host_request")) {
            Host host = host();
            host.feed(Wire.stream(List.of(Wire.event(name, 1001))), new Random(3), 99);
            assertThat(only(host)).isEqualTo("fault OVERSIZED");
        }
    }

    @Test
    void outputThatEndsInsideALineIsAFaultAndAnEndBetweenLinesIsNone() {
        Host host = host();
        host.feed("{\"event\":\"stdout\"}\n");
        host.splitter.end();
        assertThat(host.transcript).containsExactly("pass stdout");
        host.feed("{\"event\"");
        host.splitter.end();
        assertThat(host.transcript).hasSize(2).last().isEqualTo("fault CUT");
    }

    @Test
    void aKeptFrameStaysAsItWasAndALentOneIsNotCopied() {
        List<Frame> kept = new ArrayList<>();
        List<Frame> lent = new ArrayList<>();
        FrameSplitter splitter = new FrameSplitter(FrameLimits.DEFAULT, new FrameSplitter.Lines() {
            @Override
            public void line(Frame frame) {
                lent.add(frame);
                kept.add(frame.keep());
            }

            @Override
            public void oversized(Frame head) {}

            @Override
            public void cut(int byteCount) {}
        });
        byte[] chunk = Wire.bytes("one\ntwo\nthr");
        splitter.feed(ByteBuffer.wrap(chunk));
        assertThat(lent.getFirst().pieces().getFirst().bytes()).isSameAs(chunk);
        ByteBuffer direct = ByteBuffer.allocateDirect(200_000);
        direct.put("e".repeat(150_000).getBytes(StandardCharsets.UTF_8))
                .put((byte) '\n')
                .put((byte) 'x')
                .put((byte) '\n')
                .flip();
        splitter.feed(direct);
        java.util.Arrays.fill(chunk, (byte) '#');
        assertThat(kept.stream().map(Frame::byteCount)).containsExactly(3, 3, 150_003, 1);
        assertThat(kept.get(2)).isSameAs(lent.get(2));
        assertThat(new String(kept.get(0).bytes(), StandardCharsets.UTF_8)).isEqualTo("one");
        assertThat(new String(kept.get(2).bytes(), StandardCharsets.UTF_8)).isEqualTo("thr" + "e".repeat(150_000));
        assertThat(kept.get(2).open())
                .hasSameContentAs(new ByteArrayInputStream(kept.get(2).bytes()));
    }

    @Test
    void aSlowRequestDoesNotHoldBackAFastOne() throws InterruptedException {
        BlockingQueue<String> replies = new LinkedBlockingQueue<>();
        CountDownLatch fastIsAnswered = new CountDownLatch(1);
        try (ExecutorService handlers = Executors.newVirtualThreadPerTaskExecutor()) {
            HostRequests requests = new HostRequests(handlers, request -> {
                if (request.id().equals("slow")) {
                    fastIsAnswered.await();
                }
                return Json.createValue(request.id());
            });
            Gate gate = new Gate(
                    LIMITS,
                    type -> true,
                    line -> replies.add(new String(line, StandardCharsets.UTF_8)),
                    decision -> requests.start((Admission.Accepted) decision));
            byte[] stream =
                    Wire.stream(List.of(Wire.request("slow", "fs.read", 100), Wire.request("fast", "fs.read", 100)));
            new FrameSplitter(LIMITS, gate).feed(stream, 0, stream.length);
            assertThat(replies.take()).contains("\"result\":\"fast\"");
            fastIsAnswered.countDown();
            assertThat(replies.take()).contains("\"result\":\"slow\"");
        }
    }

    @Test
    void aHandlerThatFailsInAnyWayIsOneErrorReply() {
        List<String> replies = new ArrayList<>();
        ReplyWriter writer = line -> replies.add(new String(line, StandardCharsets.UTF_8));
        HostRequest request = new HostRequest("a", "fs.read", Frame.lent(new byte[0], 0, 0));
        List<HostRequests.Handler> handlers = List.of(
                any -> {
                    throw new Exception();
                },
                any -> null,
                any -> JsonValue.NULL);
        for (HostRequests.Handler handler : handlers) {
            new HostRequests(Runnable::run, handler)
                    .start(new Admission.Accepted(request, new PendingReply("a", writer, () -> {})));
        }
        new HostRequests(
                        task -> {
                            throw new RejectedExecutionException();
                        },
                        any -> JsonValue.NULL)
                .start(new Admission.Accepted(request, new PendingReply("a", writer, () -> {})));
        assertThat(replies)
                .containsExactly(
                        "{\"type\":\"host_reply\",\"id\":\"a\",\"data\":{\"status\":\"error\",\"error\":\"the request failed\"}}\n",
                        "{\"type\":\"host_reply\",\"id\":\"a\",\"data\":{\"status\":\"error\",\"error\":\"the handler gave no result\"}}\n",
                        "{\"type\":\"host_reply\",\"id\":\"a\",\"data\":{\"status\":\"ok\",\"result\":null}}\n",
                        "{\"type\":\"host_reply\",\"id\":\"a\",\"data\":{\"status\":\"error\",\"error\":\"the host takes no more requests\"}}\n");
    }

    @Test
    void aHundredThousandSmallRequestsGetOneReplyEach() {
        Host host = new Host(FrameLimits.DEFAULT, Set.of("fs.read"));
        List<byte[]> lines = new ArrayList<>();
        for (int i = 0; i < 100_000; i++) {
            lines.add(Wire.request("n" + i, i % 3 == 0 ? "none" : "fs.read", 90));
        }
        byte[] stream = Wire.stream(lines);
        for (int at = 0; at < stream.length; at += FrameLimits.READ_BYTES) {
            host.splitter.feed(stream, at, Math.min(stream.length, at + FrameLimits.READ_BYTES));
            assertThat(host.splitter.heldBytes()).isLessThanOrEqualTo(FrameLimits.READ_BYTES);
            while (!host.waiting.isEmpty()) {
                host.waiting.poll().run();
            }
        }
        assertThat(host.replies).hasSize(100_000).doesNotHaveDuplicates();
        assertThat(host.ran).hasSize(66_666).doesNotHaveDuplicates();
    }
}
