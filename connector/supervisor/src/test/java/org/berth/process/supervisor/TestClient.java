package org.berth.process.supervisor;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;
import org.berth.placement.EvidenceKind;
import org.berth.placement.Exit;
import org.berth.placement.ProcessEvent;
import org.berth.placement.ProcessIdentity;
import org.berth.placement.RunnerStatus;
import org.berth.placement.SpawnOrder;
import org.berth.placement.SpawnOutcome;
import org.berth.placement.StopMode;
import org.berth.placement.StopOutcome;
import org.berth.process.protocol.Frame;
import org.berth.process.protocol.FrameCodec;

/** A small server's side of the protocol: asks, and keeps every notice. */
final class TestClient implements AutoCloseable {
    private final SocketChannel channel;
    private final AtomicLong correlations = new AtomicLong();
    private final Map<Long, LinkedBlockingQueue<Frame>> replies = new ConcurrentHashMap<>();
    final List<ProcessEvent> events = new CopyOnWriteArrayList<>();
    final Map<String, List<Frame.Output>> outputs = new ConcurrentHashMap<>();
    final List<Frame.ExitNotice> exits = new CopyOnWriteArrayList<>();
    final List<Frame.Fenced> fences = new CopyOnWriteArrayList<>();
    private final Map<String, String> nonces = new ConcurrentHashMap<>();
    volatile boolean acknowledging = true;
    volatile long delayMillis;
    volatile boolean ended;
    Frame.Welcome welcome;

    private TestClient(SocketChannel channel) {
        this.channel = channel;
    }

    static TestClient connect(Path socket) {
        try {
            SocketChannel channel = SocketChannel.open(UnixDomainSocketAddress.of(socket));
            TestClient client = new TestClient(channel);
            Thread.ofPlatform().daemon().name("client").start(client::read);
            client.welcome = (Frame.Welcome) client.ask(new Frame.Hello(FrameCodec.VERSION, "test"));
            return client;
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private void read() {
        ByteBuffer in = ByteBuffer.allocate(FrameCodec.MAX_FRAME_BYTES + 4);
        try {
            while (channel.read(in) >= 0) {
                in.flip();
                while (FrameCodec.holdsFrame(in)) {
                    FrameCodec.Envelope envelope = FrameCodec.decode(in);
                    take(envelope);
                }
                in.compact();
            }
        } catch (IOException | RuntimeException e) {
            // The connection ended.
        }
        ended = true;
    }

    private void take(FrameCodec.Envelope envelope) {
        switch (envelope.frame()) {
            case Frame.Event(ProcessEvent event) -> events.add(event);
            case Frame.ExitNotice exit -> exits.add(exit);
            case Frame.Fenced fenced -> fences.add(fenced);
            case Frame.Output output -> {
                outputs.computeIfAbsent(output.attemptKey(), _ -> new CopyOnWriteArrayList<>())
                        .add(output);
                if (delayMillis > 0) {
                    java.util.concurrent.locks.LockSupport.parkNanos(delayMillis * 1_000_000);
                }
                String nonce = nonces.get(output.attemptKey());
                if (acknowledging && nonce != null) {
                    tell(new Frame.Acknowledge(output.attemptKey(), nonce, output.generation(), output.sequence()));
                }
            }
            default ->
                replies.computeIfAbsent(envelope.correlation(), _ -> new LinkedBlockingQueue<>())
                        .add(envelope.frame());
        }
    }

    synchronized void tell(Frame frame) {
        send(0, frame);
    }

    private synchronized void send(long correlation, Frame frame) {
        try {
            ByteBuffer bytes = FrameCodec.encode(correlation, frame);
            while (bytes.hasRemaining()) {
                channel.write(bytes);
            }
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    Frame ask(Frame frame) {
        return await(order(frame), Duration.ofSeconds(20));
    }

    /** Sends without waiting. @return the number to {@link #await} */
    long order(Frame frame) {
        long correlation = correlations.incrementAndGet();
        replies.put(correlation, new LinkedBlockingQueue<>());
        send(correlation, frame);
        return correlation;
    }

    Frame await(long correlation, Duration most) {
        try {
            Frame reply = replies.get(correlation).poll(most.toMillis(), TimeUnit.MILLISECONDS);
            if (reply == null) {
                throw new AssertionError("no reply within " + most);
            }
            replies.remove(correlation);
            return reply;
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    SpawnOutcome spawn(SpawnOrder order) {
        nonces.put(order.attemptKey(), order.nonce());
        return ((Frame.SpawnReply) ask(new Frame.Spawn(order))).outcome();
    }

    /** Spawns what must start. */
    ProcessIdentity started(SpawnOrder order) {
        SpawnOutcome outcome = spawn(order);
        if (outcome instanceof SpawnOutcome.Spawned spawned) {
            return spawned.identity();
        }
        throw new AssertionError("not started: " + outcome);
    }

    void receive(SpawnOrder order) {
        receive(order, order.generation());
    }

    void receive(SpawnOrder order, long generation) {
        nonces.put(order.attemptKey(), order.nonce());
        Frame.FenceReply reply =
                (Frame.FenceReply) ask(new Frame.Receive(order.attemptKey(), order.nonce(), generation));
        if (!reply.outcome().accepted()) {
            throw new AssertionError("may not receive: " + reply.outcome());
        }
    }

    void subscribe() {
        ask(new Frame.Subscribe());
    }

    StopOutcome stop(SpawnOrder order, StopMode mode, int graceMillis) {
        return ((Frame.StopReply) ask(new Frame.Stop(order.attemptKey(), order.nonce(), mode, graceMillis, null)))
                .outcome();
    }

    RunnerStatus status(SpawnOrder order) {
        return ((Frame.StatusReply) ask(new Frame.QueryStatus(order.attemptKey(), order.nonce(), null))).status();
    }

    void shutdown() {
        ask(new Frame.Shutdown(true));
    }

    ProcessEvent event(SpawnOrder order, EvidenceKind kind) {
        return event(order, kind, Duration.ofSeconds(15));
    }

    ProcessEvent event(SpawnOrder order, EvidenceKind kind, Duration most) {
        Predicate<ProcessEvent> wanted = event -> event.attemptKey().equals(order.attemptKey()) && event.kind() == kind;
        Await.until(
                kind + " of the attempt; seen " + kinds(order),
                most,
                () -> events.stream().anyMatch(wanted));
        return events.stream().filter(wanted).findFirst().orElseThrow();
    }

    List<EvidenceKind> kinds(SpawnOrder order) {
        List<EvidenceKind> kinds = new ArrayList<>();
        events.stream()
                .filter(event -> event.attemptKey().equals(order.attemptKey()))
                .forEach(event -> kinds.add(event.kind()));
        return kinds;
    }

    Exit exit(SpawnOrder order) {
        return event(order, EvidenceKind.CHILD_EXITED, Duration.ofSeconds(30)).exit();
    }

    List<Frame.Output> chunks(SpawnOrder order) {
        return outputs.getOrDefault(order.attemptKey(), List.of());
    }

    /** The bytes of one stream so far. */
    byte[] bytes(SpawnOrder order, int stream) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        chunks(order).stream().filter(chunk -> chunk.stream() == stream).forEach(chunk -> all.writeBytes(chunk.data()));
        return all.toByteArray();
    }

    boolean eof(SpawnOrder order, int stream) {
        return chunks(order).stream().anyMatch(chunk -> chunk.stream() == stream && chunk.eof());
    }

    void awaitEof(SpawnOrder order, int... streams) {
        for (int stream : streams) {
            Await.until("the end of stream " + stream, Duration.ofSeconds(30), () -> eof(order, stream));
        }
    }

    @Override
    public void close() {
        try {
            channel.close();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }
}
