package org.berth.harness.output;

import java.util.Objects;

/**
 * Output in memory: what is kept and what is counted as dropped are together every byte that was written before the end.
 * Its memory is bounded by the byte limit, and grows only as it is used.
 */
public final class OutputBuffer implements Output {
    private final Retention retention;
    private final boolean keepsHead;
    private long droppedBytes;
    private boolean ended;

    public OutputBuffer(Truncation truncation) {
        retention = Retention.of(Objects.requireNonNull(truncation));
        keepsHead = !(retention instanceof TailRetention);
    }

    @Override
    public synchronized void append(byte[] bytes, int from, int to) {
        Objects.checkFromToIndex(from, to, bytes.length);
        if (!ended) {
            droppedBytes += retention.append(bytes, from, to);
        }
    }

    /** Whether nothing would be dropped by these bytes. */
    synchronized boolean fits(byte[] bytes, int from, int to) {
        return retention.fits(bytes, from, to);
    }

    @Override
    public synchronized void end() {
        ended = true;
    }

    /** Whether {@link #end()} was called. */
    public synchronized boolean ended() {
        return ended;
    }

    @Override
    public synchronized OutputView view() {
        return new OutputView(retention.kept(), droppedBytes, keepsHead, ended);
    }
}
