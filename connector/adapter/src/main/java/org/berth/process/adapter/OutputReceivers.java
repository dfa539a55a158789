package org.berth.process.adapter;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.berth.placement.Exit;
import org.berth.placement.OutputRecipient;
import org.berth.placement.OutputStreamKind;
import org.berth.process.protocol.Frame;

/**
 * Who receives which attempt's output over one connection. A new recipient takes over when its order is answered: what
 * was in flight before goes to the old one, and the repetition of what is unacknowledged goes to the new one. Recipients
 * are called by the connection's reader only.
 */
final class OutputReceivers {
    private static final Logger LOG = System.getLogger(OutputReceivers.class.getName());

    private record Holder(long generation, OutputRecipient recipient) {}

    private static final class Seat {
        private Holder current;
        private Holder next;
        private long newest;

        /** A sequence that came before shows that the repetition for the next holder has begun. */
        Holder holderFor(long sequence) {
            if (next != null && (current == null || sequence <= newest)) {
                current = next;
                next = null;
            }
            newest = sequence;
            return current;
        }
    }

    private final Map<String, Seat> seats = new HashMap<>();
    private boolean closed;

    /** The order to receive is about to be sent. Answers false when the connection is already lost. */
    synchronized boolean announce(String attemptKey, long generation, OutputRecipient recipient) {
        if (closed) {
            return false;
        }
        seats.computeIfAbsent(attemptKey, k -> new Seat()).next = new Holder(generation, recipient);
        return true;
    }

    /** The order was answered. Called by the reader, in the order of the frames. */
    synchronized void answered(String attemptKey, OutputRecipient recipient, boolean accepted) {
        Seat seat = seats.get(attemptKey);
        if (seat == null || seat.next == null || seat.next.recipient != recipient) {
            return;
        }
        if (accepted) {
            seat.current = seat.next;
        }
        seat.next = null;
        if (seat.current == null) {
            seats.remove(attemptKey);
        }
    }

    /** Answers whether {@code recipient} was the one that receives, or was about to. */
    synchronized boolean release(String attemptKey, OutputRecipient recipient) {
        Seat seat = seats.get(attemptKey);
        boolean held = seat != null
                && (seat.next == null
                        ? seat.current != null && seat.current.recipient == recipient
                        : seat.next.recipient == recipient);
        if (held) {
            seats.remove(attemptKey);
        }
        return held;
    }

    void output(Frame.Output chunk) {
        Holder holder;
        synchronized (this) {
            Seat seat = seats.get(chunk.attemptKey());
            holder = seat == null ? null : seat.holderFor(chunk.sequence());
        }
        if (holder != null && holder.generation == chunk.generation()) {
            OutputStreamKind stream = OutputStreamKind.of(chunk.stream());
            call(holder, r -> r.chunk(stream, chunk.sequence(), chunk.data(), chunk.eof(), chunk.truncated()));
        }
    }

    void exited(String attemptKey, Exit exit) {
        Holder holder;
        synchronized (this) {
            Seat seat = seats.get(attemptKey);
            holder = seat == null ? null : seat.current == null ? seat.next : seat.current;
        }
        call(holder, r -> r.exited(exit));
    }

    void fenced(String attemptKey, long generation) {
        List<Holder> fenced = new ArrayList<>();
        synchronized (this) {
            Seat seat = seats.get(attemptKey);
            if (seat == null) {
                return;
            }
            if (seat.current != null && seat.current.generation < generation) {
                fenced.add(seat.current);
                seat.current = null;
            }
            if (seat.next != null && seat.next.generation < generation) {
                fenced.add(seat.next);
                seat.next = null;
            }
            if (seat.current == null && seat.next == null) {
                seats.remove(attemptKey);
            }
        }
        fenced.forEach(holder -> call(holder, r -> r.fenced(generation)));
    }

    /** The connection is lost: everybody hears it, nobody is accepted any more. */
    void lost() {
        List<Holder> all = new ArrayList<>();
        synchronized (this) {
            closed = true;
            for (Seat seat : seats.values()) {
                all.add(seat.current);
                all.add(seat.next);
            }
            seats.clear();
        }
        all.forEach(holder -> call(holder, OutputRecipient::lost));
    }

    private static void call(Holder holder, Consumer<OutputRecipient> call) {
        if (holder == null) {
            return;
        }
        try {
            call.accept(holder.recipient);
        } catch (RuntimeException e) {
            LOG.log(Level.ERROR, "A recipient of output failed.", e);
        }
    }
}
