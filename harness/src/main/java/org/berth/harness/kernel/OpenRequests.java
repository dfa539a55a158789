package org.berth.harness.kernel;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** The requests that wait for their end. Once it is closed, every further one fails at once with the same cause. */
final class OpenRequests {
    record Open(KernelRequest request, Optional<CellListener> cell) {}

    private final Map<String, Open> open = new HashMap<>();
    private long last;
    private Exception closed;

    /** A new request; it has failed already when the kernel is gone. */
    synchronized KernelRequest add(Optional<CellListener> cell) {
        KernelRequest request = new KernelRequest("r" + ++last, new CompletableFuture<>());
        if (closed == null) {
            open.put(request.id(), new Open(request, cell));
        } else {
            request.done().completeExceptionally(closed);
        }
        return request;
    }

    synchronized Optional<Open> find(String id) {
        return Optional.ofNullable(open.get(id));
    }

    synchronized Optional<Open> remove(String id) {
        return Optional.ofNullable(open.remove(id));
    }

    /** False when it was closed before. */
    boolean close(Exception cause) {
        List<Open> left;
        synchronized (this) {
            if (closed != null) {
                return false;
            }
            closed = cause;
            left = new ArrayList<>(open.values());
            open.clear();
        }
        left.forEach(each -> each.request().done().completeExceptionally(cause));
        return true;
    }

    synchronized boolean isClosed() {
        return closed != null;
    }
}
