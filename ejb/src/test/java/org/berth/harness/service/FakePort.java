package org.berth.harness.service;

import jakarta.json.Json;
import jakarta.json.JsonObject;
import jakarta.json.JsonReader;
import java.io.ByteArrayOutputStream;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import org.berth.placement.Exit;
import org.berth.placement.InputOutcome;
import org.berth.placement.OutputStreamKind;

/** A kernel's process as a test plays it: it takes writes as a supervisor does, and says what the test wants. */
final class FakePort implements KernelPort {
    final ByteArrayOutputStream written = new ByteArrayOutputStream();
    final List<Integer> pieces = new ArrayList<>();
    final List<Long> acknowledged = new ArrayList<>();
    int kills;
    int closes;
    Consumer<JsonObject> requests;
    KernelProcess process;
    private final Set<String> remembered = new HashSet<>();
    private final StringBuilder line = new StringBuilder();
    private CompletableFuture<InputOutcome> held;
    private boolean holding;
    private RuntimeException failure;
    private boolean loseReply;
    private String refusal;
    private long sequence;

    @Override
    public CompletionStage<InputOutcome> write(String writeId, byte[] piece) {
        if (failure != null && !loseReply) {
            return CompletableFuture.failedStage(failure);
        }
        if (refusal != null) {
            return CompletableFuture.completedStage(new InputOutcome(false, 1, refusal));
        }
        if (remembered.add(writeId)) {
            pieces.add(piece.length);
            written.writeBytes(piece);
            if (requests != null) {
                read(new String(piece, StandardCharsets.UTF_8));
            }
        }
        if (failure != null) {
            return CompletableFuture.failedStage(failure);
        }
        if (holding) {
            held = new CompletableFuture<>();
            return held;
        }
        return CompletableFuture.completedStage(new InputOutcome(true, 1, null));
    }

    private void read(String text) {
        line.append(text);
        for (int end = line.indexOf("\n"); end >= 0; end = line.indexOf("\n")) {
            String whole = line.substring(0, end);
            line.delete(0, end + 1);
            try (JsonReader reader = Json.createReader(new StringReader(whole))) {
                requests.accept(reader.readObject());
            }
        }
    }

    void hold() {
        holding = true;
    }

    void release() {
        holding = false;
        CompletableFuture<InputOutcome> waiting = held;
        held = null;
        waiting.complete(new InputOutcome(true, 1, null));
    }

    /** Nobody answers. @param taken whether the bytes arrive nevertheless */
    void fail(RuntimeException with, boolean taken) {
        failure = with;
        loseReply = taken;
    }

    void refuse(String reason) {
        refusal = reason;
    }

    @Override
    public void closeInput() {
        closes++;
    }

    @Override
    public void kill() {
        kills++;
    }

    /** The kernel writes an event. */
    void says(String frame) {
        out((frame + "\n").getBytes(StandardCharsets.UTF_8));
    }

    void out(byte[] bytes) {
        process.chunk(OutputStreamKind.STDOUT, ++sequence, bytes, false, false);
    }

    /** The kernel is over. */
    void ends() {
        process.chunk(OutputStreamKind.STDOUT, ++sequence, new byte[0], true, false);
        process.exited(new Exit.Exited(0));
    }
}
