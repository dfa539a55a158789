package org.berth.process.adapter;

import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.net.SocketException;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.berth.placement.ProcessEvent;
import org.berth.process.adapter.AdapterStatistics.Counter;
import org.berth.process.protocol.Frame;

/**
 * Keeps every supervisor of this host connected: starts our own one where none listens, serves older ones until they
 * end, and tries for ever with a growing pause. One thread runs {@link #run()}.
 */
final class SupervisorKeeper implements SupervisorClient.Owner {
    private static final Logger LOG = System.getLogger(SupervisorKeeper.class.getName());

    /** Pause between two looks for a socket that a starting supervisor makes, in milliseconds. */
    private static final long LOOK_MILLIS = 20;

    /** Longest time without a look for sockets of other builds, in milliseconds. Source: an own choice. */
    private static final long SURVEY_MILLIS = 30_000;

    private final AdapterSettings settings;
    private final SocketDirectory directory;
    private final SupervisorDistribution distribution;
    private final SupervisorLauncher launcher;
    private final WorkThreads threads;
    private final Executor completions;
    private final AdapterStatistics statistics;
    private final SupervisorSet set;
    private final EventDelivery delivery;
    private String ownDigest;
    private boolean changed;
    private boolean stopped;

    SupervisorKeeper(
            AdapterSettings settings,
            SocketDirectory directory,
            SupervisorDistribution distribution,
            SupervisorLauncher launcher,
            WorkThreads threads,
            Executor completions,
            AdapterStatistics statistics,
            SupervisorSet set,
            EventDelivery delivery) {
        this.settings = settings;
        this.directory = directory;
        this.distribution = distribution;
        this.launcher = launcher;
        this.threads = threads;
        this.completions = completions;
        this.statistics = statistics;
        this.set = set;
        this.delivery = delivery;
    }

    void run() {
        int pause = settings.reconnectMinMillis();
        while (!isStopped()) {
            try {
                survey();
                connectDue();
                pause = settings.reconnectMinMillis();
                await(nextDueMillis());
            } catch (IOException e) {
                LOG.log(Level.WARNING, "No process supervisor can be reached: {0}", e.getMessage());
                await(pause);
                pause = Math.min(2 * pause, settings.reconnectMaxMillis());
            } catch (RuntimeException e) {
                LOG.log(Level.ERROR, "Keeping the process supervisors connected failed; trying again.", e);
                await(settings.reconnectMaxMillis());
            }
        }
        closeClients();
    }

    /** Ends the connections and, soon, {@link #run()}; the supervisors go on. */
    void stop() {
        synchronized (this) {
            stopped = true;
            notifyAll();
        }
        closeClients();
    }

    private void closeClients() {
        for (SupervisorSlot slot : set.slots()) {
            SupervisorClient client = slot.client;
            if (client != null) {
                client.close();
            }
        }
    }

    private synchronized boolean isStopped() {
        return stopped;
    }

    private synchronized void await(long millis) {
        long end = System.nanoTime() + millis * 1_000_000L;
        try {
            while (!stopped && !changed) {
                long left = (end - System.nanoTime()) / 1_000_000L;
                if (left <= 0) {
                    break;
                }
                wait(left);
            }
        } catch (InterruptedException e) {
            stopped = true;
            Thread.currentThread().interrupt();
        }
        changed = false;
    }

    private void survey() throws IOException {
        directory.prepare();
        if (ownDigest == null) {
            ownDigest = SupervisorDistribution.digest(settings.distribution());
            set.add(new SupervisorSlot(ownDigest.substring(0, 8), directory.socket(ownDigest), true));
        }
        for (Path socket : directory.sockets()) {
            String build = SocketDirectory.build(socket);
            if (!set.has(build)) {
                set.add(new SupervisorSlot(build, socket, false));
            }
        }
        set.surveyed();
    }

    private void connectDue() {
        for (SupervisorSlot slot : set.slots()) {
            if (slot.client != null || slot.dueNanos - System.nanoTime() > 0 || isStopped()) {
                continue;
            }
            try {
                connect(slot);
                slot.pauseMillis = 0;
            } catch (IOException | RuntimeException e) {
                slot.pauseMillis = slot.pauseMillis == 0
                        ? settings.reconnectMinMillis()
                        : Math.min(2 * slot.pauseMillis, settings.reconnectMaxMillis());
                LOG.log(
                        Level.WARNING,
                        "The process supervisor {0} cannot be reached, next try in {1} ms: {2}",
                        slot.build,
                        slot.pauseMillis,
                        e);
            }
            slot.dueNanos = System.nanoTime() + slot.pauseMillis * 1_000_000L;
        }
    }

    private long nextDueMillis() {
        long now = System.nanoTime();
        return set.slots().stream()
                .filter(slot -> slot.client == null)
                .mapToLong(slot -> Math.max(1, (slot.dueNanos - now) / 1_000_000L))
                .min()
                .orElse(SURVEY_MILLIS);
    }

    private void connect(SupervisorSlot slot) throws IOException {
        SocketChannel channel;
        try {
            channel = directory.connect(slot.socket);
        } catch (SocketException nobodyListens) {
            String build = slot.own ? ownDigest : distribution.installed(slot.build);
            if (!slot.own && (build == null || !Files.exists(slot.socket, LinkOption.NOFOLLOW_LINKS))) {
                retireSlot(slot);
                return;
            }
            channel = launch(slot, build);
        }
        open(slot, channel);
    }

    /** An older supervisor that ended, or that nobody can start again. */
    private void retireSlot(SupervisorSlot slot) throws IOException {
        Files.deleteIfExists(slot.socket);
        set.remove(slot);
        LOG.log(Level.INFO, "The process supervisor {0} has ended.", slot.build);
    }

    private SocketChannel launch(SupervisorSlot slot, String build) throws IOException {
        if (slot.own) {
            distribution.install(settings.distribution(), build);
        }
        Process process = launcher.start(build);
        long end = System.nanoTime() + settings.connectMillis() * 1_000_000L;
        while (true) {
            try {
                SocketChannel channel = directory.connect(slot.socket);
                LOG.log(Level.INFO, "The process supervisor {0} was started.", slot.build);
                return channel;
            } catch (LocalAccessException e) {
                throw e;
            } catch (IOException e) {
                if (System.nanoTime() - end > 0 || isStopped()) {
                    throw new IOException(
                            "the supervisor was started and does not listen; see " + distribution.console(build), e);
                }
                if (!process.isAlive() && process.exitValue() != 0) {
                    throw new IOException(
                            "the supervisor ended at once with code " + process.exitValue() + "; see "
                                    + distribution.console(build),
                            e);
                }
            }
            await(LOOK_MILLIS);
        }
    }

    private void open(SupervisorSlot slot, SocketChannel channel) throws IOException {
        SupervisorClient client =
                new SupervisorClient(slot.socket, channel, this, completions, statistics, settings.requestMillis());
        client.open(threads, settings.connectMillis());
        try {
            set.learn(
                    slot,
                    client.ask(new Frame.QueryAll(), Frame.AllReply.class, false)
                            .get(settings.requestMillis(), TimeUnit.MILLISECONDS)
                            .statuses(),
                    client.ask(new Frame.QueryChannels(), Frame.ChannelsReply.class, false)
                            .get(settings.requestMillis(), TimeUnit.MILLISECONDS)
                            .channelIds());
        } catch (ExecutionException | TimeoutException e) {
            client.close();
            throw new IOException(slot.socket + ": the attempts and channels could not be asked for", e);
        } catch (InterruptedException e) {
            client.close();
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
        if (!slot.own) {
            client.ask(new Frame.Retire(), Frame.Done.class, false);
        }
        slot.client = client;
        if (slot.connections++ > 0) {
            statistics.add(Counter.RECONNECTS);
        }
        LOG.log(Level.INFO, "The process supervisor {0} is connected.", slot.build);
        delivery.connected(client);
        if (client.isClosed()) {
            lost(client);
            // A loss that came between the two lines above was told before there was anything to take back.
            delivery.lost(client);
        }
    }

    @Override
    public void event(SupervisorClient client, ProcessEvent event) {
        delivery.event(event);
    }

    @Override
    public void lost(SupervisorClient client) {
        for (SupervisorSlot slot : set.slots()) {
            synchronized (slot) {
                if (slot.client != client) {
                    continue;
                }
                slot.client = null;
            }
            delivery.lost(client);
            synchronized (this) {
                changed = true;
                notifyAll();
            }
        }
    }
}
