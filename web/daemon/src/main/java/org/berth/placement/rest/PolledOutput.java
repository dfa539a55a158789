package org.berth.placement.rest;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.berth.placement.Exit;
import org.berth.placement.OutputRecipient;
import org.berth.placement.OutputStreamKind;
import org.berth.web.JsonTree;

/** Collects what arrives during one long poll; complete with the first chunk, the exit, or at its deadline. */
final class PolledOutput implements OutputRecipient {
    private final long after;
    private final List<Map<String, Object>> chunks = new ArrayList<>();
    private final CompletableFuture<Void> something = new CompletableFuture<>();
    private final CompletableFuture<Void> nothingMore = new CompletableFuture<>();
    private final Set<OutputStreamKind> ended = EnumSet.noneOf(OutputStreamKind.class);
    private Exit exit;
    private long fencedBy = -1;
    private long last;

    PolledOutput(long after) {
        this.after = after;
        this.last = after;
    }

    @Override
    public synchronized void chunk(
            OutputStreamKind stream, long sequence, byte[] data, boolean eof, boolean truncated) {
        if (sequence > after) {
            chunks.add(Views.chunk(stream, sequence, data, eof, truncated));
            last = Math.max(last, sequence);
            something.complete(null);
        }
        if (eof) {
            ended.add(stream);
            settle();
        }
    }

    @Override
    public synchronized void exited(Exit told) {
        exit = told;
        something.complete(null);
        settle();
    }

    private void settle() {
        boolean allEnded = ended.contains(OutputStreamKind.TTY)
                || ended.contains(OutputStreamKind.STDOUT) && ended.contains(OutputStreamKind.STDERR);
        if (exit != null && allEnded) {
            nothingMore.complete(null);
        }
    }

    @Override
    public synchronized void fenced(long generation) {
        fencedBy = generation;
        something.complete(null);
        nothingMore.complete(null);
    }

    @Override
    public void lost() {
        something.complete(null);
        nothingMore.complete(null);
    }

    CompletableFuture<Void> something() {
        return something;
    }

    /** Complete when all streams ended and the exit was told, or nothing can come any more. */
    CompletableFuture<Void> nothingMore() {
        return nothingMore;
    }

    synchronized JsonTree answer() {
        Map<String, Object> tree = new LinkedHashMap<>();
        tree.put("chunks", List.copyOf(chunks));
        tree.put("consumed_through", last);
        if (exit != null) {
            tree.put("exit", Views.exit(exit));
        }
        if (fencedBy >= 0) {
            tree.put("fenced", fencedBy);
        }
        return new JsonTree(tree);
    }
}
