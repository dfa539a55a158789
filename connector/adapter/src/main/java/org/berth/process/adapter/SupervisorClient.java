package org.berth.process.adapter;

import jakarta.resource.spi.work.WorkException;
import java.io.EOFException;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.berth.placement.OutputRecipient;
import org.berth.placement.ProcessEvent;
import org.berth.problem.BerthException;
import org.berth.problem.ProblemCode;
import org.berth.process.adapter.AdapterStatistics.Counter;
import org.berth.process.protocol.Frame;
import org.berth.process.protocol.FrameCodec;

/**
 * One connection to one supervisor, shared by every caller. One reader, one writer; callers only queue. Safe for any
 * thread. Never used again after it was lost.
 */
final class SupervisorClient implements AutoCloseable {
    private static final Logger LOG = System.getLogger(SupervisorClient.class.getName());

    /** Bytes that may wait for the writer; past it orders are refused. Source: two of the largest frames. */
    private static final int MAX_UNSENT_BYTES = 2 * FrameCodec.MAX_FRAME_BYTES;

    /** Frames in one gathering write. Source: well below the kernel's limit of 1024 buffers (UIO_MAXIOV). */
    private static final int MAX_GATHERED = 64;

    private static final int READ_BUFFER_BYTES = 256 * 1024;

    /** What the owner of the connection hears, on the reader's thread; must not block. */
    interface Owner {
        void event(SupervisorClient client, ProcessEvent event);

        /** Once, when the connection was lost or closed. */
        void lost(SupervisorClient client);
    }

    private final Path socket;
    private final SocketChannel channel;
    private final Owner owner;
    private final Executor completions;
    private final AdapterStatistics statistics;
    private final int requestMillis;
    private final OutputReceivers receivers = new OutputReceivers();
    private final ConcurrentHashMap<Long, Pending<?>> pending = new ConcurrentHashMap<>();
    private final LinkedBlockingQueue<Outgoing> outgoing = new LinkedBlockingQueue<>();
    private final AtomicInteger unsentBytes = new AtomicInteger();
    private final AtomicLong correlations = new AtomicLong();
    private final AtomicBoolean closed = new AtomicBoolean();
    private volatile Frame.Welcome welcome;

    /** {@code channel} is connected and its peer is checked. Nothing is sent before {@link #open}. */
    SupervisorClient(
            Path socket,
            SocketChannel channel,
            Owner owner,
            Executor completions,
            AdapterStatistics statistics,
            int requestMillis) {
        this.socket = socket;
        this.channel = channel;
        this.owner = owner;
        this.completions = completions;
        this.statistics = statistics;
        this.requestMillis = requestMillis;
    }

    /** Starts reader and writer and says hello. Waits at most {@code millis}. */
    void open(WorkThreads threads, int millis) throws IOException {
        try {
            threads.startLong("berth-reader", this::read, this::close);
            threads.startLong("berth-writer", this::write, this::close);
            Frame.Hello hello = new Frame.Hello(FrameCodec.VERSION, "berth-adapter");
            welcome = ask(hello, Frame.Welcome.class, false, millis)
                    .get(millis, java.util.concurrent.TimeUnit.MILLISECONDS);
            if (welcome.version() != FrameCodec.VERSION) {
                throw new IOException(socket + " speaks version " + welcome.version() + " of the protocol, not "
                        + FrameCodec.VERSION);
            }
        } catch (WorkException | java.util.concurrent.ExecutionException e) {
            close();
            throw new IOException(socket + ": the hello failed", e);
        } catch (java.util.concurrent.TimeoutException e) {
            close();
            throw new IOException(socket + " did not answer the hello within " + millis + " ms", e);
        } catch (InterruptedException e) {
            close();
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        } catch (IOException | RuntimeException e) {
            close();
            throw e;
        }
    }

    Frame.Welcome welcome() {
        return welcome;
    }

    boolean isClosed() {
        return closed.get();
    }

    /**
     * Sends an order. {@code changes}: a lost reply leaves open whether it took effect (UNCERTAIN); else it may simply
     * be asked again (UNAVAILABLE).
     */
    <R extends Frame.Reply> CompletableFuture<R> ask(Frame.Order order, Class<R> reply, boolean changes) {
        return ask(order, reply, changes, requestMillis);
    }

    /** The same with a time of its own, in milliseconds. */
    <R extends Frame.Reply> CompletableFuture<R> ask(Frame.Order order, Class<R> reply, boolean changes, int millis) {
        long deadline = System.nanoTime() + millis * 1_000_000L;
        return send(order, new Pending<>(reply, changes, deadline, null));
    }

    private <R extends Frame.Reply> CompletableFuture<R> send(Frame.Order order, Pending<R> request) {
        long correlation = correlations.incrementAndGet();
        ByteBuffer bytes = FrameCodec.encode(correlation, order);
        pending.put(correlation, request);
        if (!enqueue(new Outgoing(bytes, request))) {
            pending.remove(correlation);
            request.cancelUnsent();
            request.fail(completions, BerthException.unavailable("The supervisor cannot take an order now."));
        } else if (closed.get() && pending.remove(correlation) != null) {
            request.failLost(completions);
        }
        return request.future;
    }

    /** Sends an order that has no reply; dropped when the connection is lost. */
    void tell(Frame.Order order) {
        enqueue(new Outgoing(FrameCodec.encode(correlations.incrementAndGet(), order), null));
    }

    private boolean enqueue(Outgoing item) {
        int size = item.bytes.remaining();
        if (closed.get() || unsentBytes.addAndGet(size) > MAX_UNSENT_BYTES && size < MAX_UNSENT_BYTES) {
            unsentBytes.addAndGet(-size);
            return false;
        }
        return outgoing.add(item);
    }

    /** Sends {@code Receive}; {@code recipient} is called on the reader's thread from then on. */
    CompletableFuture<Frame.FenceReply> receive(
            String attemptKey, String nonce, long generation, OutputRecipient recipient) {
        if (!receivers.announce(attemptKey, generation, recipient)) {
            return CompletableFuture.failedFuture(BerthException.unavailable("The supervisor is not connected now."));
        }
        recipient.receiving(through -> tell(new Frame.Acknowledge(attemptKey, nonce, generation, through)));
        long deadline = System.nanoTime() + requestMillis * 1_000_000L;
        return send(
                new Frame.Receive(attemptKey, nonce, generation),
                new Pending<>(
                        Frame.FenceReply.class,
                        true,
                        deadline,
                        reply -> receivers.answered(
                                attemptKey,
                                recipient,
                                reply instanceof Frame.FenceReply fence
                                        && fence.outcome().accepted())));
    }

    void release(String attemptKey, OutputRecipient recipient) {
        if (receivers.release(attemptKey, recipient)) {
            tell(new Frame.Release(attemptKey));
        }
    }

    /** Fails every order whose time is over at {@code now} (nanoTime). */
    void expire(long now) {
        pending.forEach((correlation, request) -> {
            if (request.deadline - now < 0 && pending.remove(correlation) != null) {
                if (request.onReply != null) {
                    request.onReply.accept(null);
                }
                request.failLost(completions);
            }
        });
    }

    private void write() {
        List<Outgoing> batch = new ArrayList<>();
        try {
            while (!closed.get()) {
                batch.clear();
                batch.add(outgoing.take());
                outgoing.drainTo(batch, MAX_GATHERED - 1);
                ByteBuffer[] buffers = batch.stream()
                        .filter(item -> item.request == null || item.request.markSent())
                        .map(Outgoing::bytes)
                        .toArray(ByteBuffer[]::new);
                int size = batch.stream().mapToInt(item -> item.bytes.limit()).sum();
                while (buffers.length > 0 && buffers[buffers.length - 1].hasRemaining()) {
                    channel.write(buffers);
                }
                unsentBytes.addAndGet(-size);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (IOException e) {
            LOG.log(Level.DEBUG, "Writing to {0} ended: {1}", socket, e);
        } finally {
            close();
        }
    }

    private void read() {
        ByteBuffer buffer = ByteBuffer.allocateDirect(READ_BUFFER_BYTES);
        try {
            while (true) {
                if (channel.read(buffer) < 0) {
                    throw new EOFException("the supervisor closed the connection");
                }
                buffer.flip();
                while (FrameCodec.holdsFrame(buffer)) {
                    accept(FrameCodec.decode(buffer));
                }
                buffer = roomFor(buffer);
            }
        } catch (IOException e) {
            LOG.log(Level.DEBUG, "Reading from {0} ended: {1}", socket, e);
        } catch (RuntimeException e) {
            LOG.log(Level.ERROR, socket + " sent what is no frame; the connection ends.", e);
        } finally {
            close();
            receivers.lost();
            owner.lost(this);
        }
    }

    private static ByteBuffer roomFor(ByteBuffer buffer) {
        int needed = buffer.remaining() >= 4 ? 4 + FrameCodec.frameLength(buffer) : 0;
        if (needed <= buffer.capacity()) {
            return buffer.compact();
        }
        return ByteBuffer.allocateDirect(needed + READ_BUFFER_BYTES).put(buffer);
    }

    private void accept(FrameCodec.Envelope envelope) {
        switch (envelope.frame()) {
            case Frame.Reply reply -> {
                Pending<?> request = pending.remove(envelope.correlation());
                if (request != null) {
                    request.answer(completions, reply);
                }
            }
            case Frame.Output output -> {
                statistics.add(Counter.OUTPUT_BYTES, output.data().length);
                receivers.output(output);
            }
            case Frame.ExitNotice exit -> receivers.exited(exit.attemptKey(), exit.exit());
            case Frame.Fenced fenced -> receivers.fenced(fenced.attemptKey(), fenced.generation());
            case Frame.Event event -> owner.event(this, event.event());
            case Frame.Order order ->
                throw new org.berth.process.protocol.ProtocolException(
                        "a supervisor sends no " + order.getClass().getSimpleName());
        }
    }

    /** Ends the connection; orders that wait fail. The reader tells the owner. */
    @Override
    public void close() {
        if (!closed.compareAndSet(false, true)) {
            return;
        }
        try {
            channel.close();
        } catch (IOException e) {
            LOG.log(Level.DEBUG, "Closing {0}: {1}", socket, e);
        }
        // Wakes the writer; an empty buffer writes nothing.
        outgoing.add(new Outgoing(ByteBuffer.allocate(0), null));
        pending.forEach((correlation, request) -> {
            if (pending.remove(correlation) != null) {
                request.failLost(completions);
            }
        });
    }

    private record Outgoing(ByteBuffer bytes, Pending<?> request) {}

    /** An order that waits for its reply. */
    private static final class Pending<R extends Frame.Reply> {
        private enum Phase {
            QUEUED,
            SENT,
            CANCELLED
        }

        private final Class<R> type;
        private final boolean changes;
        private final long deadline;
        private final java.util.function.Consumer<Frame.Reply> onReply;
        private final CompletableFuture<R> future = new CompletableFuture<>();
        private final java.util.concurrent.atomic.AtomicReference<Phase> phase =
                new java.util.concurrent.atomic.AtomicReference<>(Phase.QUEUED);

        Pending(Class<R> type, boolean changes, long deadline, java.util.function.Consumer<Frame.Reply> onReply) {
            this.type = type;
            this.changes = changes;
            this.deadline = deadline;
            this.onReply = onReply;
        }

        /** Answers false when the order was given up before it was sent. */
        boolean markSent() {
            return phase.compareAndSet(Phase.QUEUED, Phase.SENT);
        }

        boolean cancelUnsent() {
            return phase.compareAndSet(Phase.QUEUED, Phase.CANCELLED);
        }

        void answer(Executor completions, Frame.Reply reply) {
            if (onReply != null) {
                onReply.accept(reply);
            }
            if (type.isInstance(reply)) {
                completions.execute(() -> future.complete(type.cast(reply)));
            } else if (reply instanceof Frame.Failed failed) {
                fail(completions, new BerthException(code(failed.code()), failed.sentence()));
            } else {
                fail(
                        completions,
                        new BerthException(ProblemCode.INTERNAL, "The supervisor gave an answer of another kind."));
            }
        }

        private static ProblemCode code(String name) {
            for (ProblemCode code : ProblemCode.values()) {
                if (code.name().equals(name)) {
                    return code;
                }
            }
            return ProblemCode.INTERNAL;
        }

        void failLost(Executor completions) {
            if (cancelUnsent()) {
                fail(completions, BerthException.unavailable("The order was not sent; it may be sent again."));
            } else if (changes) {
                fail(
                        completions,
                        new BerthException(
                                ProblemCode.UNCERTAIN, "The order was sent and its answer was lost; query first."));
            } else {
                fail(completions, BerthException.unavailable("The answer was lost; it may be asked for again."));
            }
        }

        void fail(Executor completions, BerthException problem) {
            completions.execute(() -> future.completeExceptionally(problem));
        }
    }
}
