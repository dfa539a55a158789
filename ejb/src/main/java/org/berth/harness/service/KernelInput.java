package org.berth.harness.service;

import java.util.ArrayDeque;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import org.berth.harness.frame.FrameLimits;
import org.berth.placement.InputOutcome;

/**
 * What is to be written to one kernel, in its order and each byte once. Whoever writes never waits: what the kernel does not
 * read is kept, up to a bound. Any thread may call.
 *
 * <pre>
 *   idle --write--> writing --accepted, nothing left--> idle
 *   writing --nobody answered--> held (the piece keeps its id) --resume--> writing
 *   any --over the bound, or refused--> closed
 * </pre>
 */
final class KernelInput {
    /** Bytes of one write. Source: what {@code Processes.write} takes. */
    static final int PIECE_BYTES = 65_536;

    /** Bytes that may wait. Source: an own choice, two of the longest lines. */
    static final long MOST_WAITING_BYTES = 2L * FrameLimits.DEFAULT.lineBytes();

    private final KernelPort port;
    private final Executor executor;
    private final Consumer<String> broken;
    private final Queue<byte[]> lines = new ArrayDeque<>();
    private int firstFrom;
    private long waitingBytes;
    private byte[] piece;
    private String pieceId;
    private boolean underWay;
    private boolean closed;

    /** @param broken told once, with a sentence, when the kernel cannot be written to any more though it was not closed */
    KernelInput(KernelPort port, Executor executor, Consumer<String> broken) {
        this.port = port;
        this.executor = executor;
        this.broken = broken;
    }

    /** Takes a line whole; after the end it takes nothing. */
    void write(byte[] line) {
        boolean taken;
        synchronized (this) {
            if (closed || line.length == 0) {
                return;
            }
            taken = waitingBytes + line.length <= MOST_WAITING_BYTES;
            if (taken) {
                lines.add(line);
                waitingBytes += line.length;
            }
        }
        if (taken) {
            advance();
        } else {
            end("the kernel does not read: " + MOST_WAITING_BYTES + " bytes wait for it");
        }
    }

    /** The way to the process is there again: a piece whose fate is not known goes again, under its own id. */
    void resume() {
        advance();
    }

    /** Takes no more, and forgets what waits. */
    synchronized void close() {
        closed = true;
        lines.clear();
        waitingBytes = 0;
        piece = null;
    }

    private void advance() {
        byte[] next;
        String id;
        synchronized (this) {
            if (closed || underWay || piece == null && lines.isEmpty()) {
                return;
            }
            if (piece == null) {
                piece = take();
                pieceId = UUID.randomUUID().toString().replace("-", "");
            }
            underWay = true;
            next = piece;
            id = pieceId;
        }
        port.write(id, next).whenCompleteAsync(this::answered, executor);
    }

    /** As much as one write takes; lines that fit go together. */
    private byte[] take() {
        byte[] taken = new byte[(int) Math.min(PIECE_BYTES, waitingBytes)];
        int to = 0;
        while (to < taken.length) {
            byte[] first = lines.peek();
            int count = Math.min(taken.length - to, first.length - firstFrom);
            System.arraycopy(first, firstFrom, taken, to, count);
            to += count;
            firstFrom += count;
            if (firstFrom == first.length) {
                lines.remove();
                firstFrom = 0;
            }
        }
        waitingBytes -= taken.length;
        return taken;
    }

    private void answered(InputOutcome outcome, Throwable failure) {
        boolean accepted = failure == null && outcome.accepted();
        synchronized (this) {
            underWay = false;
            if (accepted) {
                piece = null;
            }
        }
        if (accepted) {
            advance();
        } else if (failure == null) {
            end("the kernel's input was refused: " + outcome.reason());
        }
    }

    private void end(String reason) {
        boolean was;
        synchronized (this) {
            was = closed;
            close();
        }
        if (!was) {
            broken.accept(reason);
        }
    }
}
