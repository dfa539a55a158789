package org.berth.harness.output.model;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * An output by its definition: everything that was written before the end, and what of it is kept.
 *
 * @param cap empty for an output that is not bounded
 * @param produced every byte that was written before the end
 * @param ended whether the output has ended
 */
public record OutputModel(Optional<Cap> cap, List<Byte> produced, boolean ended) {
    /** At most this much, of the head or the tail. */
    public record Cap(int bytes, int lines, boolean head) {}

    public OutputModel {
        produced = List.copyOf(produced);
    }

    /** An output that nothing was written to. */
    public static OutputModel empty(Optional<Cap> cap) {
        return new OutputModel(cap, List.of(), false);
    }

    /** The output after {@code chunk}. */
    public OutputModel write(List<Byte> chunk) {
        if (ended) {
            return this;
        }
        List<Byte> all = new ArrayList<>(produced);
        all.addAll(chunk);
        return new OutputModel(cap, all, false);
    }

    /** The output after its end. */
    public OutputModel end() {
        return new OutputModel(cap, produced, true);
    }

    /**
     * The longest head or tail within the cap. A tail follows what was written step by step; that its definition over the
     * whole gives the same is part of what the bridge shows.
     */
    public List<Byte> kept() {
        if (cap.isEmpty()) {
            return produced;
        }
        int size = produced.size();
        for (int length = Math.min(size, cap.get().bytes); length > 0; length--) {
            List<Byte> part = cap.get().head ? produced.subList(0, length) : produced.subList(size - length, size);
            if (lines(part) <= cap.get().lines) {
                return part;
            }
        }
        return List.of();
    }

    /** Every other byte. */
    public int dropped() {
        return produced.size() - kept().size();
    }

    private static int lines(List<Byte> part) {
        int newlines = (int) part.stream().filter(b -> b == '\n').count();
        return newlines + (part.isEmpty() || part.getLast() == '\n' ? 0 : 1);
    }
}
