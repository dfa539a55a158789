package org.berth.process.adapter;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BiFunction;
import org.berth.environment.ChannelStatus;
import org.berth.placement.FenceOutcome;
import org.berth.placement.InputOutcome;
import org.berth.placement.ProcessIdentity;
import org.berth.placement.RunnerState;
import org.berth.placement.RunnerStatus;
import org.berth.placement.SpawnOutcome;
import org.berth.placement.StopOutcome;
import org.berth.process.protocol.Frame;
import org.berth.process.protocol.FrameCodec;

/** A supervisor without children: answers over a real socket what a test tells it to. */
final class FakeSupervisor implements AutoCloseable {
    /** No reply at all. */
    static final Frame.Reply SILENCE = null;

    private final Path socket;
    private final String incarnation;
    private final ServerSocketChannel server;
    private final List<Connection> connections = new CopyOnWriteArrayList<>();
    private final List<Frame.Order> received = new CopyOnWriteArrayList<>();
    private final Map<Class<?>, BiFunction<Connection, Frame.Order, Frame.Reply>> script = new ConcurrentHashMap<>();
    final Set<String> channels = ConcurrentHashMap.newKeySet();
    private final Map<String, RunnerStatus> attempts = new ConcurrentHashMap<>();

    FakeSupervisor(Path socket, String incarnation) throws IOException {
        this.socket = socket;
        this.incarnation = incarnation;
        server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
        server.bind(UnixDomainSocketAddress.of(socket));
        Thread.ofPlatform().daemon().start(this::accept);
    }

    /** Answers {@code type} with {@code reply} from now on. */
    <O extends Frame.Order> FakeSupervisor on(Class<O> type, BiFunction<Connection, O, Frame.Reply> reply) {
        script.put(type, (connection, order) -> reply.apply(connection, type.cast(order)));
        return this;
    }

    void knows(String attemptKey) {
        attempts.put(
                attemptKey, new RunnerStatus(attemptKey, "n", RunnerState.RUNNING, identity(), null, 1, true, 0, 0, 0));
    }

    static ProcessIdentity identity() {
        return new ProcessIdentity(7, 7, 99, "boot", null);
    }

    <O extends Frame.Order> List<O> received(Class<O> type) {
        return received.stream().filter(type::isInstance).map(type::cast).toList();
    }

    int accepted() {
        return connections.size();
    }

    /** To every connection. */
    void notice(Frame.Notice notice) {
        connections.forEach(connection -> connection.send(0, notice));
    }

    void dropConnections() {
        for (Connection connection : connections) {
            connections.remove(connection);
            connection.close();
        }
    }

    private void accept() {
        while (server.isOpen()) {
            try {
                Connection connection = new Connection(server.accept());
                connections.add(connection);
                Thread.ofPlatform().daemon().start(connection::serve);
            } catch (IOException e) {
                return;
            }
        }
    }

    private Frame.Reply answer(Connection connection, Frame.Order order) {
        BiFunction<Connection, Frame.Order, Frame.Reply> scripted = script.get(order.getClass());
        return scripted == null ? usual(order) : scripted.apply(connection, order);
    }

    private Frame.Reply usual(Frame.Order order) {
        return switch (order) {
            case Frame.Hello hello ->
                new Frame.Welcome(
                        FrameCodec.VERSION,
                        incarnation,
                        ProcessHandle.current().pid(),
                        SocketDirectory.build(socket),
                        Instant.EPOCH);
            case Frame.Spawn spawn -> {
                knows(spawn.order().attemptKey());
                yield new Frame.SpawnReply(new SpawnOutcome.Spawned(identity(), null));
            }
            case Frame.Stop stop -> new Frame.StopReply(StopOutcome.ACCEPTED);
            case Frame.Fence fence -> new Frame.FenceReply(new FenceOutcome(true, fence.generation(), true, true));
            case Frame.Receive receive ->
                new Frame.FenceReply(new FenceOutcome(true, receive.generation(), true, true));
            case Frame.Write write -> new Frame.InputReply(new InputOutcome(true, write.generation(), null));
            case Frame.Wrote wrote -> new Frame.WroteReply(true);
            case Frame.CloseStdin close -> new Frame.InputReply(new InputOutcome(true, 1, null));
            case Frame.Resize resize -> new Frame.InputReply(new InputOutcome(true, 1, null));
            case Frame.QueryStatus query -> new Frame.StatusReply(attempts.get(query.attemptKey()));
            case Frame.QueryAll all -> new Frame.AllReply(List.copyOf(attempts.values()));
            case Frame.Release release -> SILENCE;
            case Frame.Acknowledge acknowledge -> SILENCE;
            case Frame.Recorded recorded -> SILENCE;
            case Frame.Forget forget -> {
                attempts.remove(forget.attemptKey());
                yield new Frame.Done();
            }
            case Frame.QueryScope scope -> new Frame.Failed("NOT_FOUND", "no such attempt");
            case Frame.Measure measure -> new Frame.Failed("NOT_FOUND", "no such file");
            case Frame.Probe probe -> new Frame.Failed("UNAVAILABLE", "no probe");
            case Frame.Subscribe subscribe -> new Frame.Done();
            case Frame.Retire retire -> new Frame.Done();
            case Frame.Shutdown shutdown -> new Frame.Done();
            case Frame.OpenChannel open -> {
                channels.add(open.order().channelId());
                yield new Frame.Done();
            }
            case Frame.CallChannel call -> new Frame.ChannelReply(call.request());
            case Frame.QueryChannel query ->
                new Frame.ChannelStatusReply(
                        channels.contains(query.channelId())
                                ? new ChannelStatus(true, 7, 99, 0, "/v-" + incarnation + ".sock")
                                : null);
            case Frame.QueryChannels query -> new Frame.ChannelsReply(List.copyOf(channels));
            case Frame.CloseChannel close -> {
                channels.remove(close.channelId());
                yield new Frame.Done();
            }
            case Frame.Run run -> new Frame.Failed("INVALID", "no such command");
        };
    }

    @Override
    public void close() throws IOException {
        server.close();
        Files.deleteIfExists(socket);
        dropConnections();
    }

    /** Leaves the socket's file behind, as a killed supervisor does. */
    void die() throws IOException {
        server.close();
        dropConnections();
    }

    /** One adapter's connection. */
    final class Connection {
        private final SocketChannel channel;

        Connection(SocketChannel channel) {
            this.channel = channel;
        }

        private void serve() {
            ByteBuffer buffer = ByteBuffer.allocate(FrameCodec.MAX_FRAME_BYTES);
            try (channel) {
                while (channel.read(buffer) >= 0) {
                    buffer.flip();
                    while (FrameCodec.holdsFrame(buffer)) {
                        FrameCodec.Envelope envelope = FrameCodec.decode(buffer);
                        Frame.Order order = (Frame.Order) envelope.frame();
                        received.add(order);
                        Frame.Reply reply = answer(this, order);
                        if (reply != SILENCE) {
                            send(envelope.correlation(), reply);
                        }
                    }
                    buffer.compact();
                }
            } catch (IOException e) {
                connections.remove(this);
            }
        }

        synchronized void send(long correlation, Frame frame) {
            ByteBuffer bytes = FrameCodec.encode(correlation, frame);
            try {
                while (bytes.hasRemaining()) {
                    channel.write(bytes);
                }
            } catch (IOException e) {
                close();
            }
        }

        void close() {
            try {
                channel.close();
            } catch (IOException e) {
                throw new java.io.UncheckedIOException(e);
            }
        }
    }
}
