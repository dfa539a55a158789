package org.berth.process.supervisor.channel;

import java.io.IOException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.berth.environment.ChannelOrder;
import org.berth.environment.ChannelStatus;
import org.berth.problem.BerthException;
import org.berth.problem.ProblemCode;
import org.berth.process.supervisor.FaultPoint;
import org.berth.process.supervisor.loop.Worker;
import org.berth.process.supervisor.run.Services;

/** The open channels. Runs on the loop; files and sockets are made on a thread that the first channel starts. */
public final class Channels {
    private static final int MOST_RELAYS = 64;
    private static final int MOST_ENDPOINTS = 4096;
    private static final int MOST_PORT = 65_535;
    private static final int MOST_MILLIS = 30_000;

    private final Services services;
    private final ChannelStore store;
    private final Path socketDirectory;
    private final Consumer<String> log;
    private final Consumer<Throwable> failures;
    private final Map<String, Channel> channels = new LinkedHashMap<>();
    private final Turns turns = new Turns();
    private Worker worker;

    /**
     * @param directory for the channels' files; made with the first
     * @param socketDirectory for the sockets of viewers
     */
    public Channels(
            Services services,
            Path directory,
            Path socketDirectory,
            Consumer<String> log,
            Consumer<Throwable> failures) {
        this.services = services;
        this.store = new ChannelStore(directory, log);
        this.socketDirectory = socketDirectory;
        this.log = log;
        this.failures = failures;
    }

    /** Told how an order ended, on the loop; one of the two, once. */
    public interface Answer<T> {
        void done(T result);

        void failed(BerthException problem);
    }

    /** Opens again what an earlier supervisor had open; before the loop runs. */
    public void restore() throws IOException {
        for (StoredChannel stored : store.load()) {
            try {
                put(stored, openSockets(stored.order()));
            } catch (IOException | BerthException e) {
                log.accept("channel " + stored.order().channelId() + " could not be opened again: " + e.getMessage());
            }
        }
    }

    private ChannelSockets openSockets(ChannelOrder order) throws IOException {
        return ChannelSockets.open(order, socketDirectory.toString(), services.clock());
    }

    private void put(StoredChannel stored, ChannelSockets sockets) {
        channels.put(stored.order().channelId(), new Channel(services, stored, sockets, this::storeHelper));
    }

    private void storeHelper(String channelId, StoredChannel.Helper helper, Consumer<Boolean> then) {
        work(() -> {
            boolean stored = true;
            try {
                store.put(channelId, helper);
                FaultPoint.AFTER_CHANNEL_HELPER_STORED.pass();
            } catch (IOException e) {
                log.accept("a helper could not be recorded: " + e.getMessage());
                stored = false;
            }
            boolean result = stored;
            services.loop().post(() -> then.accept(result));
        });
    }

    private void work(Runnable task) {
        if (worker == null) {
            worker = new Worker("channels", failures, () -> {});
        }
        worker.execute(task);
    }

    public List<String> ids() {
        return List.copyOf(channels.keySet());
    }

    /** Nothing is open, and nothing is being opened or closed. */
    public boolean isEmpty() {
        return channels.isEmpty() && turns.idle();
    }

    /** @return null when it is not open */
    public ChannelStatus status(String channelId) {
        Channel channel = channels.get(channelId);
        return channel == null ? null : channel.status();
    }

    /** Opens a channel, or changes an open one. @throws BerthException INVALID */
    public void open(ChannelOrder order, Answer<Void> answer) {
        require(order);
        turns.take(order.channelId(), ended -> {
            Channel there = channels.get(order.channelId());
            if (there != null && there.order().equals(order)) {
                ended.run();
                answer.done(null);
            } else if (there != null && !samePlace(there.order(), order)) {
                ended.run();
                answer.failed(BerthException.conflict("an open channel keeps its directory and its log"));
            } else {
                work(() -> {
                    if (there == null) {
                        openNew(order, ended, answer);
                    } else {
                        change(there, order, ended, answer);
                    }
                });
            }
        });
    }

    private static boolean samePlace(ChannelOrder one, ChannelOrder other) {
        return one.directory().equals(other.directory()) && one.refusalLog().equals(other.refusalLog());
    }

    private void openNew(ChannelOrder order, Runnable ended, Answer<Void> answer) {
        StoredChannel stored = new StoredChannel(order, null);
        guarded(ended, answer, () -> {
            FaultPoint.BEFORE_CHANNEL_STORED.pass();
            store.put(order);
            FaultPoint.AFTER_CHANNEL_STORED.pass();
            ChannelSockets sockets;
            try {
                sockets = openSockets(order);
            } catch (IOException | RuntimeException e) {
                store.remove(order.channelId());
                throw e;
            }
            FaultPoint.AFTER_CHANNEL_OPENED.pass();
            services.loop().post(() -> {
                put(stored, sockets);
                ended.run();
                answer.done(null);
            });
        });
    }

    private void change(Channel channel, ChannelOrder order, Runnable ended, Answer<Void> answer) {
        guarded(ended, answer, () -> {
            store.put(order);
            channel.sockets().egress().change(order);
            services.loop().post(() -> {
                channel.take(order);
                ended.run();
                answer.done(null);
            });
        });
    }

    /** A step on the channels' thread. */
    private interface Step {
        void run() throws IOException;
    }

    private void guarded(Runnable ended, Answer<Void> answer, Step step) {
        try {
            step.run();
        } catch (BerthException e) {
            fail(ended, answer, e);
        } catch (IOException e) {
            fail(ended, answer, new BerthException(ProblemCode.STORAGE, "the channel failed: " + e.getMessage(), e));
        } catch (RuntimeException e) {
            fail(ended, answer, new BerthException(ProblemCode.INTERNAL, "the supervisor failed on the channel", e));
            throw e;
        }
    }

    private void fail(Runnable ended, Answer<Void> answer, BerthException problem) {
        services.loop().post(() -> {
            ended.run();
            answer.failed(problem);
        });
    }

    /** Closes a channel; one that is not open is closed. */
    public void close(String channelId, Answer<Void> answer) {
        turns.take(channelId, ended -> {
            Channel channel = channels.remove(channelId);
            if (channel != null) {
                channel.shut();
            }
            work(() -> guarded(ended, answer, () -> {
                if (channel != null) {
                    channel.sockets().remove();
                    FaultPoint.AFTER_CHANNEL_SOCKETS_REMOVED.pass();
                }
                if (ChannelStore.ID.matcher(channelId).matches()) {
                    store.remove(channelId);
                }
                services.loop().post(() -> {
                    ended.run();
                    answer.done(null);
                });
            }));
        });
    }

    /** One request to the helper. @throws BerthException INVALID or UNAVAILABLE; nothing was sent */
    public void call(String channelId, byte[] request, int timeoutMillis, Answer<byte[]> answer) {
        Channel channel = channels.get(channelId);
        if (channel == null) {
            throw BerthException.unavailable("the channel is not open");
        }
        if (timeoutMillis < 1 || timeoutMillis > MOST_MILLIS) {
            throw BerthException.invalid("a call's time is 1.." + MOST_MILLIS + " ms");
        }
        channel.call(request, timeoutMillis, new ControlLine.Caller() {
            @Override
            public void replied(byte[] reply) {
                answer.done(reply);
            }

            @Override
            public void failed(BerthException problem) {
                answer.failed(problem);
            }
        });
    }

    private static void require(ChannelOrder order) {
        demand(
                order.channelId() != null
                        && ChannelStore.ID.matcher(order.channelId()).matches(),
                "id is 32 hex digits");
        demand(absolute(order.directory()), "directory is an absolute path");
        demand(absolute(order.refusalLog()), "log is an absolute path");
        demand(
                !Path.of(order.refusalLog())
                        .normalize()
                        .startsWith(Path.of(order.directory()).normalize()),
                "log lies outside its directory");
        demand(
                order.relays().size() <= MOST_RELAYS
                        && new HashSet<>(order.relays()).size()
                                == order.relays().size()
                        && order.relays().stream().allMatch(port -> port >= 1 && port <= MOST_PORT),
                "relays are at most " + MOST_RELAYS + " different ports");
        demand(order.allowed().size() <= MOST_ENDPOINTS, "endpoints are at most " + MOST_ENDPOINTS);
        try {
            Egress.rules(order);
        } catch (IllegalArgumentException e) {
            throw BerthException.invalid("a channel's endpoint: " + e.getMessage());
        }
    }

    private static boolean absolute(String path) {
        return path != null && path.startsWith("/") && path.indexOf('\0') < 0;
    }

    private static void demand(boolean holds, String sentence) {
        if (!holds) {
            throw BerthException.invalid("a channel's " + sentence);
        }
    }
}
