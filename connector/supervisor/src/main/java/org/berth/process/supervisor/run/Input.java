package org.berth.process.supervisor.run;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayDeque;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.berth.placement.EvidenceKind;
import org.berth.placement.InputOutcome;
import org.berth.process.supervisor.Limits;
import org.berth.process.supervisor.loop.EventLoop;
import org.berth.process.supervisor.os.Descriptors;
import org.berth.process.supervisor.os.Epoll;
import org.berth.process.supervisor.os.Errno;

/** A child's stdin. Writes are taken once each, in order, and completed as the child reads. */
final class Input {
    /** What a terminal's line discipline takes for the end of the input: control-D. */
    private static final byte[] VEOF = {4};

    private record Pending(byte[] data, int[] offset, Runnable written) {}

    private final Services services;
    private final boolean terminal;
    private final BiConsumer<EvidenceKind, Map<String, String>> evidence;
    private final Set<Long> remembered = new HashSet<>();
    private final ArrayDeque<Pending> pending = new ArrayDeque<>();
    private final ArrayDeque<Runnable> waiting = new ArrayDeque<>();
    private int fd;
    private EventLoop.Watch watch;
    private long pendingBytes;
    private String closingBy;
    private boolean closed;
    private boolean exited;

    /** @param fd -1 when there is no way to the child */
    Input(Services services, int fd, boolean terminal, BiConsumer<EvidenceKind, Map<String, String>> evidence) {
        this.services = services;
        this.fd = fd;
        this.terminal = terminal;
        this.evidence = evidence;
        this.closed = fd < 0;
        if (fd >= 0) {
            watch = services.loop().watch(fd, 0, _ -> flush());
        }
    }

    /** Writes what the request carried. */
    void begin(byte[] stdin, boolean thenClose) {
        if (stdin != null) {
            offer(
                    stdin,
                    () -> evidence.accept(
                            EvidenceKind.STDIN_ACCEPTED, Map.of("bytes", Integer.toString(stdin.length))));
        }
        if (thenClose) {
            closingBy = "request";
        }
        flush();
    }

    /** Takes one write. {@code reply} may come later, when too much is waiting for the child already. */
    void write(String writeId, byte[] data, long generation, Consumer<InputOutcome> reply) {
        long hash = hash(writeId);
        if (remembered.contains(hash)) {
            reply.accept(new InputOutcome(true, generation, null));
        } else if (data.length > Limits.WRITE_BYTES) {
            reply.accept(new InputOutcome(false, generation, "too_large"));
        } else if (exited) {
            reply.accept(new InputOutcome(false, generation, "exited"));
        } else if (closed || closingBy != null) {
            reply.accept(new InputOutcome(false, generation, "closed"));
        } else if (remembered.size() >= Limits.WRITE_IDS) {
            reply.accept(new InputOutcome(false, generation, "remembered_full"));
        } else if (pendingBytes + data.length > Limits.PENDING_INPUT_BYTES) {
            waiting.add(() -> write(writeId, data, generation, reply));
        } else {
            remembered.add(hash);
            offer(data, null);
            flush();
            reply.accept(new InputOutcome(true, generation, null));
        }
    }

    boolean wrote(String writeId) {
        return remembered.contains(hash(writeId));
    }

    private static long hash(String writeId) {
        long hash = 0xcbf29ce484222325L;
        for (int i = 0; i < writeId.length(); i++) {
            hash = (hash ^ writeId.charAt(i)) * 0x100000001b3L;
        }
        return hash;
    }

    /** Ends the input after what is waiting. Asking again changes nothing. */
    InputOutcome close(long generation) {
        if (exited && !closed) {
            return new InputOutcome(false, generation, "exited");
        }
        if (!closed && closingBy == null) {
            closingBy = "order";
            flush();
        }
        return new InputOutcome(true, generation, null);
    }

    private void offer(byte[] data, Runnable written) {
        pending.add(new Pending(data, new int[1], written));
        pendingBytes += data.length;
    }

    private void flush() {
        while (!closed && !pending.isEmpty()) {
            Pending first = pending.peek();
            int left = first.data().length - first.offset()[0];
            if (left > 0) {
                MemorySegment scratch = services.scratch();
                MemorySegment.copy(first.data(), first.offset()[0], scratch, ValueLayout.JAVA_BYTE, 0, left);
                long count = Descriptors.write(fd, scratch, left);
                if (count == -Errno.EAGAIN) {
                    watch.interest(Epoll.OUT);
                    return;
                }
                if (count < 0 && count != -Errno.EINTR) {
                    end("child");
                    return;
                }
                first.offset()[0] += (int) Math.max(0, count);
                pendingBytes -= Math.max(0, count);
            }
            if (first.offset()[0] == first.data().length) {
                pending.remove();
                if (first.written() != null) {
                    first.written().run();
                }
            }
        }
        if (!closed) {
            watch.interest(0);
            admitWaiting();
            if (pending.isEmpty() && closingBy != null) {
                endOfInput();
            }
        }
    }

    private void admitWaiting() {
        if (!waiting.isEmpty() && pendingBytes < Limits.PENDING_INPUT_BYTES / 2) {
            Runnable next = waiting.remove();
            services.loop().defer(next);
        }
    }

    private void endOfInput() {
        if (terminal) {
            MemorySegment scratch = services.scratch();
            MemorySegment.copy(VEOF, 0, scratch, ValueLayout.JAVA_BYTE, 0, VEOF.length);
            if (Descriptors.write(fd, scratch, VEOF.length) == -Errno.EAGAIN) {
                watch.interest(Epoll.OUT);
                return;
            }
        }
        end(closingBy);
    }

    private void end(String by) {
        closed = true;
        shut();
        evidence.accept(EvidenceKind.STDIN_CLOSED, Map.of("by", by));
        giveUp();
    }

    private void giveUp() {
        if (pendingBytes > 0) {
            evidence.accept(EvidenceKind.STDIN_UNCERTAIN, Map.of("bytes", Long.toString(pendingBytes)));
        }
        pending.clear();
        pendingBytes = 0;
        while (!waiting.isEmpty()) {
            services.loop().defer(waiting.remove());
        }
    }

    /** The child ended: nothing more is taken. */
    void exited() {
        exited = true;
        if (!closed) {
            closed = true;
            shut();
            giveUp();
        }
    }

    /** Frees the descriptor without evidence. */
    void shut() {
        if (watch != null) {
            watch.end();
            watch = null;
        }
        Descriptors.close(fd);
        fd = -1;
    }
}
