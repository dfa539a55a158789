package org.berth.process.supervisor.channel;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.IntConsumer;
import org.berth.environment.ChannelOrder;
import org.berth.environment.ChannelStatus;
import org.berth.problem.BerthException;
import org.berth.process.supervisor.channel.StoredChannel.Helper;
import org.berth.process.supervisor.loop.EventLoop;
import org.berth.process.supervisor.os.Descriptors;
import org.berth.process.supervisor.os.Epoll;
import org.berth.process.supervisor.os.Errno;
import org.berth.process.supervisor.os.OwnProcess;
import org.berth.process.supervisor.os.ProcStat;
import org.berth.process.supervisor.os.ProcTable;
import org.berth.process.supervisor.os.UnixSocket;
import org.berth.process.supervisor.run.Services;

/**
 * One open channel. Who dials its control socket first is its helper, durably, until that process has ended: agent and
 * helper have the same user, and the helper dials before the agent is started. Runs on the loop.
 */
final class Channel {
    /** Makes a helper durable; {@code then} runs on the loop, with false when that failed. */
    interface HelperStore {
        void store(String channelId, Helper helper, Consumer<Boolean> then);
    }

    /** Milliseconds without a look for connections while there are no descriptors. Source: an own choice. */
    private static final int ACCEPT_PAUSE_MILLIS = 100;

    private final Services services;
    private final ChannelSockets sockets;
    private final HelperStore store;
    private final List<EventLoop.Watch> watches = new ArrayList<>();
    private final Viewers viewers;
    private ChannelOrder order;
    private Helper helper;
    private ControlLine line;
    private boolean judging;
    private boolean shut;

    Channel(Services services, StoredChannel stored, ChannelSockets sockets, HelperStore store) {
        this.services = services;
        this.sockets = sockets;
        this.store = store;
        this.viewers = new Viewers(services);
        order = stored.order();
        helper = stored.helper();
        accept(sockets.control(), this::controlDialled);
        accept(sockets.viewer(), this::viewerDialled);
        accept(sockets.host(), fd -> viewers.arrived(fd, line));
    }

    /** Hands over each connection of a process of ours. Without a descriptor left it looks again after a pause. */
    private void accept(int listener, IntConsumer taker) {
        EventLoop.Watch[] watch = new EventLoop.Watch[1];
        watch[0] = services.loop().watch(listener, Epoll.IN, _ -> {
            int fd = UnixSocket.accept(listener);
            if (fd == -Errno.EMFILE || fd == -Errno.ENFILE) {
                watch[0].interest(0);
                services.loop().after(ACCEPT_PAUSE_MILLIS, () -> watch[0].interest(Epoll.IN));
            } else if (fd >= 0 && !UnixSocket.peer(fd).isOf(OwnProcess.uid())) {
                Descriptors.close(fd);
            } else if (fd >= 0) {
                taker.accept(fd);
            }
        });
        watches.add(watch[0]);
    }

    private void controlDialled(int fd) {
        long pid = UnixSocket.peer(fd).pid();
        if (line != null || judging || pid == 0) {
            Descriptors.close(fd);
            return;
        }
        judging = true;
        Helper former = helper;
        services.observer().execute(() -> {
            ProcStat stat = ProcStat.of(pid);
            boolean formerLives = former != null
                    && former.bootId().equals(ProcTable.bootId())
                    && ProcTable.alive(former.pid(), former.startTicks());
            services.loop().post(() -> judge(fd, stat, formerLives));
        });
    }

    private void judge(int fd, ProcStat stat, boolean formerLives) {
        Helper candidate = stat == null ? null : new Helper(stat.pid(), stat.startTicks(), ProcTable.bootId());
        if (shut || candidate == null || formerLives && !candidate.equals(helper)) {
            judging = false;
            Descriptors.close(fd);
        } else if (candidate.equals(helper)) {
            connect(fd, candidate, true);
        } else {
            store.store(order.channelId(), candidate, stored -> connect(fd, candidate, stored));
        }
    }

    private void connect(int fd, Helper accepted, boolean stored) {
        judging = false;
        if (shut || !stored) {
            Descriptors.close(fd);
            return;
        }
        helper = accepted;
        line = new ControlLine(services, fd, () -> line = null);
    }

    private void viewerDialled(int fd) {
        if (line != null && UnixSocket.peer(fd).pid() == helper.pid()) {
            viewers.dialled(fd);
        } else {
            Descriptors.close(fd);
        }
    }

    /** @throws BerthException UNAVAILABLE when no helper is on the line */
    void call(byte[] request, int timeoutMillis, ControlLine.Caller caller) {
        if (line == null) {
            throw BerthException.unavailable("the guest's helper is not on the line; try again");
        }
        line.call(request, timeoutMillis, caller);
    }

    ChannelOrder order() {
        return order;
    }

    void take(ChannelOrder wanted) {
        order = wanted;
    }

    ChannelSockets sockets() {
        return sockets;
    }

    ChannelStatus status() {
        boolean connected = line != null;
        return new ChannelStatus(
                connected,
                connected ? helper.pid() : 0,
                connected ? helper.startTicks() : 0,
                sockets.egress().refused(),
                sockets.viewerSocket());
    }

    /** Ends every connection and accepts no more; the sockets' files stay. */
    void shut() {
        shut = true;
        watches.forEach(EventLoop.Watch::end);
        sockets.closeListeners();
        viewers.close();
        if (line != null) {
            line.close();
        }
    }
}
