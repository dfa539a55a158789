package org.berth.acceptance;

import java.io.ByteArrayOutputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;

/**
 * One connection to an attempt's stream: keeps every byte per stream in order, and every event. Acknowledges what it
 * received, unless it was told to hold back. For any thread. Source: api.md, Stream.
 */
public final class StreamClient implements AutoCloseable {
    public static final int STDOUT = 1;
    public static final int STDERR = 2;
    public static final int TTY = 3;

    private static final HttpClient CLIENT = HttpClient.newHttpClient();

    private final Map<Integer, ByteArrayOutputStream> bytes = new TreeMap<>();
    private final Map<Integer, Integer> ends = new TreeMap<>();
    private final List<Long> sequences = new ArrayList<>();
    private final List<Map<String, Object>> events = new ArrayList<>();
    private final CompletableFuture<Integer> closed = new CompletableFuture<>();
    private final Object sending = new Object();
    private final long generation;
    private boolean acknowledging = true;
    private long received;
    private WebSocket socket;

    private StreamClient(long generation) {
        this.generation = generation;
    }

    /** Attaches as a new recipient and connects. */
    public static StreamClient attach(Api api, String id) {
        return connect(api, id, api.attach(id).expect(200).number("generation"));
    }

    /** Connects with a generation that is in force. */
    public static StreamClient connect(Api api, String id, long generation) {
        return connect(api, id, generation, true);
    }

    /** Connects; acknowledges nothing until {@link #acknowledge(boolean)} says so when {@code acknowledging} is false. */
    public static StreamClient connect(Api api, String id, long generation, boolean acknowledging) {
        StreamClient client = new StreamClient(generation);
        client.acknowledging = acknowledging;
        URI uri = URI.create(
                api.base().replaceFirst("^http", "ws") + Api.ATTEMPTS + "/" + id + "/stream?generation=" + generation);
        WebSocket.Builder builder = CLIENT.newWebSocketBuilder().subprotocols("berth.stream.1");
        if (api.token() != null) {
            builder.header("Authorization", "Bearer " + api.token());
        }
        WebSocket opened = builder.connectTimeout(Duration.ofSeconds(10))
                .buildAsync(uri, client.new Receiver())
                .join();
        synchronized (client) {
            client.socket = opened;
        }
        return client;
    }

    private final class Receiver implements WebSocket.Listener {
        private final StringBuilder text = new StringBuilder();
        private final ByteArrayOutputStream binary = new ByteArrayOutputStream();

        @Override
        public void onOpen(WebSocket opened) {
            synchronized (StreamClient.this) {
                socket = opened;
            }
            opened.request(1);
        }

        @Override
        public CompletionStage<?> onText(WebSocket from, CharSequence data, boolean last) {
            text.append(data);
            if (last) {
                synchronized (StreamClient.this) {
                    events.add(Json.object(text.toString()));
                }
                text.setLength(0);
            }
            from.request(1);
            return null;
        }

        @Override
        public CompletionStage<?> onBinary(WebSocket from, ByteBuffer data, boolean last) {
            while (data.hasRemaining()) {
                binary.write(data.get());
            }
            if (last) {
                boolean acknowledge = output(ByteBuffer.wrap(binary.toByteArray()));
                binary.reset();
                if (acknowledge) {
                    sendAcknowledgement();
                }
            }
            from.request(1);
            return null;
        }

        @Override
        public CompletionStage<?> onClose(WebSocket from, int status, String reason) {
            closed.complete(status);
            return null;
        }

        @Override
        public void onError(WebSocket from, Throwable failure) {
            closed.complete(-1);
        }
    }

    private synchronized boolean output(ByteBuffer frame) {
        int stream = frame.get();
        int flags = frame.get();
        received = frame.getLong();
        sequences.add(received);
        byte[] data = new byte[frame.remaining()];
        frame.get(data);
        bytes.computeIfAbsent(stream, _ -> new ByteArrayOutputStream()).writeBytes(data);
        if ((flags & 1) != 0) {
            ends.put(stream, flags);
        }
        return acknowledging;
    }

    private void sendAcknowledgement() {
        acknowledgeThrough(received());
    }

    /** Acknowledges every sequence up to {@code through}. */
    public void acknowledgeThrough(long through) {
        send(Map.of("type", "ack", "consumed_through", through));
    }

    private void send(Map<String, Object> tree) {
        synchronized (sending) {
            if (!closed.isDone()) {
                current()
                        .sendText(Json.write(tree), true)
                        .exceptionally(failure -> null)
                        .join();
            }
        }
    }

    private synchronized WebSocket current() {
        return socket;
    }

    /** From now on acknowledges what comes in, or not; turned on, acknowledges what is here at once. */
    public void acknowledge(boolean on) {
        synchronized (this) {
            acknowledging = on;
        }
        if (on && received() > 0) {
            sendAcknowledgement();
        }
    }

    /** The newest sequence that came in; 0 before the first. */
    public synchronized long received() {
        return received;
    }

    public long generation() {
        return generation;
    }

    /** The bytes of a stream until now. */
    public synchronized byte[] bytes(int stream) {
        ByteArrayOutputStream found = bytes.get(stream);
        return found == null ? new byte[0] : found.toByteArray();
    }

    public synchronized long count(int stream) {
        ByteArrayOutputStream found = bytes.get(stream);
        return found == null ? 0 : found.size();
    }

    public String text(int stream) {
        return new String(bytes(stream), java.nio.charset.StandardCharsets.UTF_8);
    }

    /** Whether a stream's end came. */
    public synchronized boolean ended(int stream) {
        return ends.containsKey(stream);
    }

    /** Whether a stream's end came with the mark that bytes may be missing. */
    public synchronized boolean truncated(int stream) {
        return (ends.getOrDefault(stream, 0) & 2) != 0;
    }

    /** The sequences as they came in. */
    public synchronized List<Long> sequences() {
        return List.copyOf(sequences);
    }

    public synchronized List<Map<String, Object>> events() {
        return List.copyOf(events);
    }

    /** The first event of {@code type}, waited for. */
    public Map<String, Object> awaitEvent(String type) {
        return Await.value(
                        "event " + type,
                        () -> events().stream()
                                .filter(event -> type.equals(event.get("type")))
                                .findFirst(),
                        java.util.Optional::isPresent)
                .orElseThrow();
    }

    /** The acknowledgement of a write, waited for. */
    public Map<String, Object> awaitInputAck(String writeId) {
        return Await.value(
                        "acknowledgement of write " + writeId,
                        () -> events().stream()
                                .filter(event -> writeId.equals(event.get("write_id")))
                                .findFirst(),
                        java.util.Optional::isPresent)
                .orElseThrow();
    }

    /** Waits for the exit; {@code type}, {@code code} or {@code signal}, {@code uncertain}. */
    public Map<String, Object> awaitExit() {
        return awaitEvent("exit");
    }

    /** Waits until each of {@code streams} ended. */
    public StreamClient awaitEnds(int... streams) {
        for (int stream : streams) {
            Await.until("the end of stream " + stream, Duration.ofSeconds(60), () -> ended(stream));
        }
        return this;
    }

    /** Waits until {@code text} is among a stream's bytes. */
    public StreamClient awaitText(int stream, String text) {
        Await.value("\"" + text + "\" on stream " + stream, () -> text(stream), seen -> seen.contains(text));
        return this;
    }

    /** The status that the server closed with, waited for; -1 when the connection broke. */
    public int awaitClose() {
        return closed.orTimeout(30, TimeUnit.SECONDS).join();
    }

    /** Sends input as a text frame; the write id. */
    public String input(byte[] data) {
        String writeId = newWriteId();
        input(writeId, data);
        return writeId;
    }

    public void input(String writeId, byte[] data) {
        send(Map.of(
                "type",
                "input",
                "write_id",
                writeId,
                "data",
                Base64.getEncoder().encodeToString(data)));
    }

    /** Sends input as a binary frame; the write id. */
    public String binaryInput(byte[] data) {
        String writeId = newWriteId();
        ByteBuffer frame = ByteBuffer.allocate(17 + data.length);
        frame.put((byte) 0x10).put(HexFormat.of().parseHex(writeId)).put(data).flip();
        synchronized (sending) {
            current().sendBinary(frame, true).join();
        }
        return writeId;
    }

    public void closeStdin() {
        send(Map.of("type", "close_stdin"));
    }

    public void resize(long rows, long columns) {
        send(Map.of("type", "resize", "rows", rows, "cols", columns));
    }

    /** 32 hex digits that were never used. */
    public static String newWriteId() {
        return UUID.randomUUID().toString().replace("-", "");
    }

    /** Drops the connection without a farewell. */
    @Override
    public void close() {
        current().abort();
        closed.complete(-1);
    }
}
