package org.berth.cli.stream;

import jakarta.json.JsonObject;
import java.io.IOException;
import java.net.http.WebSocket;
import java.net.http.WebSocketHandshakeException;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.berth.cli.api.ApiClient;
import org.berth.cli.api.Json;
import org.berth.cli.api.Patience;
import org.berth.cli.api.Problem;
import org.berth.cli.api.ProblemException;
import org.berth.cli.api.UnreachableException;

/**
 * Follows one attempt under one attachment generation: output in order and once, acknowledged when it is written;
 * input with ids; a lost connection is opened again under the same generation and sequences that were seen are
 * dropped. {@link #follow()} belongs to one thread, input may come from another.
 */
public final class StreamClient implements AutoCloseable {
    /** Source: api.md, Stream: you were replaced. */
    private static final int CLOSED_FENCED = 4409;

    /**
     * Connections of this client's own generation that may replace its connection: handshakes that it gave up and that a
     * server which was starting answered late. Source: an own choice, more than an absent server is tried.
     */
    private static final int MOST_REPLACEMENTS = 10;

    private static final int NOT_FOUND = 404;
    private static final int CONFLICT = 409;
    private static final int ACK_EVERY = 8;
    private static final Duration PAUSE = Duration.ofMillis(100);
    /** A silence after which a sign of life is asked for. */
    private static final Duration QUIET = Duration.ofSeconds(5);

    /** The silence after each question for a sign of life. */
    private static final Duration ANSWER = Duration.ofSeconds(1);

    /**
     * Questions without an answer until the connection counts as lost. The JDK does not tell that the other side closed
     * while a frame was handed over; the second write after that fails, and a host that is gone never answers.
     */
    private static final int MOST_QUESTIONS = 15;

    private final ApiClient api;
    private final String attemptId;
    private final long generation;
    private final OutputSink sink;
    private final Patience patience;
    private final Set<OutputStreamName> open;
    private final InputWindow input = new InputWindow();
    private final Object order = new Object();
    private final AtomicBoolean left = new AtomicBoolean();
    private volatile Connection connection;
    private JsonObject size;
    private long seen;
    private long acknowledged;
    private long missing;
    private int replacements;
    private int questions;
    private boolean truncated;
    private boolean discarding;
    private Ending exit;

    /**
     * @param window whether the attempt has a terminal instead of pipes
     * @param patience how long an absent server is waited for
     */
    public StreamClient(
            ApiClient api, String attemptId, long generation, boolean window, OutputSink sink, Patience patience) {
        this.api = api;
        this.attemptId = attemptId;
        this.generation = generation;
        this.sink = sink;
        this.patience = patience;
        open = window ? EnumSet.of(OutputStreamName.TTY) : EnumSet.of(OutputStreamName.STDOUT, OutputStreamName.STDERR);
    }

    /**
     * Opens the connection, once.
     *
     * @throws ProblemException when the server refuses
     * @throws UnreachableException when none answers
     */
    public void connect() {
        Connection fresh = new Connection();
        try {
            fresh.opened(api.openStream(attemptId, generation, fresh).join());
        } catch (CompletionException e) {
            if (e.getCause() instanceof WebSocketHandshakeException refused) {
                throw new ProblemException(refusal(refused.getResponse().statusCode()));
            }
            throw new UnreachableException(api.url(), e.getCause());
        }
        synchronized (order) {
            connection = fresh;
            if (size != null) {
                fresh.send(size);
            }
            input.replay(fresh);
        }
        if (left.get()) {
            fresh.close();
        }
    }

    public boolean connected() {
        return connection != null;
    }

    /**
     * Follows until the command's end is known and its output complete, until another client takes over, or until
     * {@link #leave()}.
     *
     * @throws UnreachableException when the server stays away
     */
    public Ending follow() {
        try {
            while (!left.get()) {
                if (connection == null && !reconnect()) {
                    return exit;
                }
                Ending ending = take(connection.next(questions == 0 ? QUIET : ANSWER));
                if (ending != null) {
                    return ending;
                }
            }
            return new Ending.Left();
        } finally {
            input.stop();
        }
    }

    /** Chunks that the server no longer had. */
    public long missing() {
        return missing;
    }

    /** Whether a stream was closed before its end, because something kept it open after the command's exit. */
    public boolean truncated() {
        return truncated;
    }

    /**
     * Sends {@code data} to the command; waits while too much is under way. For one thread.
     *
     * @return false when nothing takes it any more
     */
    public boolean input(byte[] data) {
        String writeId = input.take(data);
        if (writeId == null) {
            return false;
        }
        synchronized (order) {
            if (connection != null) {
                connection.send(InputWindow.frame(writeId, data));
            }
        }
        return true;
    }

    /** Closes the command's stdin after everything that was sent. */
    public void closeInput() {
        input.finish();
        synchronized (order) {
            if (connection != null) {
                connection.send(Json.object().add("type", "close_stdin").build());
            }
        }
    }

    /** Tells the command's terminal its size, now and after each reconnection. */
    public void resize(int rows, int columns) {
        synchronized (order) {
            size = Json.object()
                    .add("type", "resize")
                    .add("rows", rows)
                    .add("cols", columns)
                    .build();
            if (connection != null) {
                connection.send(size);
            }
        }
    }

    /** Ends {@link #follow()}; the command goes on. */
    public void leave() {
        left.set(true);
        Connection now = connection;
        if (now != null) {
            now.close();
        }
    }

    @Override
    public void close() {
        Connection now = connection;
        if (now != null) {
            now.close();
        }
    }

    private Ending take(StreamEvent event) {
        if (event != null) {
            questions = 0;
        }
        switch (event) {
            case null -> ask();
            case StreamEvent.Output output -> output(output);
            case StreamEvent.InputAck ack -> input.answered(ack);
            case StreamEvent.Exited exited -> {
                exit = exited.ending();
                input.stop();
            }
            case StreamEvent.Fenced fenced -> {
                if (fenced.generation() != generation || ++replacements > MOST_REPLACEMENTS) {
                    return new Ending.Fenced();
                }
                connection.close();
                connection = null;
                return null;
            }
            case StreamEvent.Lost lost -> {
                if (lost.code() == CLOSED_FENCED) {
                    return new Ending.Fenced();
                }
                if (exit != null && lost.code() == WebSocket.NORMAL_CLOSURE) {
                    return exit;
                }
                connection = null;
                return null;
            }
            case StreamEvent.Other other -> {}
        }
        if (exit == null || !open.isEmpty()) {
            return null;
        }
        acknowledge();
        return exit;
    }

    private void ask() {
        if (questions < MOST_QUESTIONS) {
            questions++;
            connection.ping();
        } else {
            questions = 0;
            connection.drop();
            connection = null;
        }
    }

    private void output(StreamEvent.Output chunk) {
        if (chunk.sequence() > seen) {
            if (seen > 0) {
                missing += chunk.sequence() - seen - 1;
            }
            seen = chunk.sequence();
            truncated |= chunk.truncated();
            write(chunk);
            if (chunk.eof()) {
                open.remove(chunk.stream());
            }
        } else {
            acknowledged = Math.min(acknowledged, chunk.sequence());
        }
        if (connection.idle() || seen - acknowledged >= ACK_EVERY) {
            acknowledge();
        }
    }

    private void write(StreamEvent.Output chunk) {
        if (discarding || chunk.data().length == 0) {
            return;
        }
        try {
            sink.output(chunk.stream(), chunk.sequence(), chunk.data());
        } catch (IOException e) {
            discarding = true;
            sink.readerGone();
        }
    }

    private void acknowledge() {
        if (seen > acknowledged
                && connection.send(Json.object()
                        .add("type", "ack")
                        .add("consumed_through", seen)
                        .build())) {
            acknowledged = seen;
        }
    }

    /** @return false when the end is known from the record instead, in {@code exit} */
    private boolean reconnect() {
        Patience.sleep(PAUSE);
        try {
            patience.outlast(() -> {
                connect();
                return null;
            });
            return true;
        } catch (ProblemException e) {
            if (e.problem().status() != NOT_FOUND && e.problem().status() != CONFLICT) {
                throw e;
            }
            if (exit == null) {
                exit = recordedExit(e);
            }
            truncated |= !open.isEmpty();
            return false;
        }
    }

    private Ending recordedExit(ProblemException refusal) {
        JsonObject attempt = Json.object(api.get(ApiClient.attemptPath(attemptId, "")), "attempt");
        if (!"exited".equals(Json.text(attempt, "execution_state"))) {
            throw refusal;
        }
        return Ending.of(Json.object(attempt, "exit"));
    }

    private static Problem refusal(int status) {
        String code = switch (status) {
            case 401 -> "UNAUTHENTICATED";
            case 403 -> "FORBIDDEN";
            case NOT_FOUND -> "NOT_FOUND";
            case CONFLICT -> "CONFLICT";
            case 503 -> "UNAVAILABLE";
            default -> "HTTP_" + status;
        };
        return new Problem(status, code, "The server refused the stream with status " + status + ".", null, null);
    }
}
