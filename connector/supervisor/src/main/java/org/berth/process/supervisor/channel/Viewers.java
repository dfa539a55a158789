package org.berth.process.supervisor.channel;

import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.berth.problem.BerthException;
import org.berth.process.supervisor.loop.EventLoop;
import org.berth.process.supervisor.os.Descriptors;
import org.berth.process.supervisor.os.Epoll;
import org.berth.process.supervisor.run.Services;

/**
 * Joins each viewer on the host with a connection that the helper dials for it, in the order of their coming. Runs on
 * the loop.
 */
final class Viewers {
    /** Viewers of one channel at once, waiting ones among them. Source: an own choice. */
    static final int MOST = 8;

    /** Milliseconds until the helper must have dialled. Source: an own choice. */
    private static final int DIAL_MILLIS = 10_000;

    private static final byte[] REQUEST = "{\"args\":[\"--viewer\"]}".getBytes(StandardCharsets.US_ASCII);

    /** A viewer on the host that waits. */
    private final class Waiting {
        private final int fd;
        private EventLoop.Watch watch;
        private EventLoop.Timer timer;

        private Waiting(int fd) {
            this.fd = fd;
        }

        private void giveUp() {
            if (waiting.remove(this)) {
                release();
                Descriptors.close(fd);
            }
        }

        private void release() {
            watch.end();
            timer.cancel();
        }
    }

    private final Services services;
    private final ArrayDeque<Waiting> waiting = new ArrayDeque<>();
    private final Set<Bridge> bridges = new LinkedHashSet<>();

    Viewers(Services services) {
        this.services = services;
    }

    /** A viewer came; {@code line} is the helper's, null when it is not there. */
    void arrived(int fd, ControlLine line) {
        if (line == null || waiting.size() + bridges.size() >= MOST) {
            Descriptors.close(fd);
            return;
        }
        Waiting viewer = new Waiting(fd);
        viewer.watch = services.loop().watch(fd, Epoll.HUP, _ -> viewer.giveUp());
        viewer.timer = services.loop().after(DIAL_MILLIS, viewer::giveUp);
        waiting.add(viewer);
        try {
            line.call(REQUEST, DIAL_MILLIS, new ControlLine.Caller() {
                @Override
                public void replied(byte[] reply) {
                    byte[] ok = JsonMembers.value(reply, "ok");
                    if (ok == null
                            || !new String(ok, StandardCharsets.US_ASCII)
                                    .strip()
                                    .equals("true")) {
                        viewer.giveUp();
                    }
                }

                @Override
                public void failed(BerthException problem) {
                    viewer.giveUp();
                }
            });
        } catch (BerthException e) {
            viewer.giveUp();
        }
    }

    /** The helper dialled. */
    void dialled(int fd) {
        Waiting viewer = waiting.poll();
        if (viewer == null) {
            Descriptors.close(fd);
            return;
        }
        viewer.release();
        Bridge[] bridge = new Bridge[1];
        bridge[0] = new Bridge(services, viewer.fd, fd, () -> bridges.remove(bridge[0]));
        bridges.add(bridge[0]);
    }

    void close() {
        List.copyOf(waiting).forEach(Waiting::giveUp);
        List.copyOf(bridges).forEach(Bridge::close);
    }
}
