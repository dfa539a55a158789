package org.berth.process.supervisor.channel;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.berth.process.supervisor.loop.EventLoop;
import org.berth.process.supervisor.os.Descriptors;
import org.berth.process.supervisor.os.Epoll;
import org.berth.process.supervisor.os.Errno;
import org.berth.process.supervisor.run.Services;

/**
 * Carries bytes between two connections both ways, at most a buffer ahead each way. The end of one side, once what it
 * said has been handed on, ends both. Runs on the loop.
 */
final class Bridge {
    /** Bytes of one way that may wait. */
    private static final int BUFFER_BYTES = 64 * 1024;

    /** Milliseconds that the last bytes of an ended side get to leave. Source: an own choice. */
    private static final int LAST_BYTES_MILLIS = 2000;

    /** One connection, and what waits to be written to it. */
    private final class Side {
        private final int fd;
        private final byte[] buffer = new byte[BUFFER_BYTES];
        private int from;
        private int to;
        private boolean readable = true;
        private EventLoop.Watch watch;
        private Side other;

        private Side(int fd) {
            this.fd = fd;
        }

        private void watch() {
            watch = services.loop().watch(fd, Epoll.IN, this::ready);
        }

        private void ready(int events) {
            if ((events & Epoll.OUT) != 0) {
                write();
            }
            if (!over && (events & ~Epoll.OUT) != 0) {
                read();
            }
        }

        private void read() {
            int room = BUFFER_BYTES - other.to;
            if (!readable || room == 0) {
                return;
            }
            long count = Descriptors.read(fd, services.scratch(), room);
            if (count == -Errno.EAGAIN || count == -Errno.EINTR) {
                return;
            }
            if (count <= 0) {
                ended(this);
                return;
            }
            MemorySegment.copy(services.scratch(), ValueLayout.JAVA_BYTE, 0, other.buffer, other.to, (int) count);
            other.to += (int) count;
            other.write();
        }

        private void write() {
            while (from < to) {
                MemorySegment.copy(buffer, from, services.scratch(), ValueLayout.JAVA_BYTE, 0, to - from);
                long done = Descriptors.write(fd, services.scratch(), to - from);
                if (done == -Errno.EAGAIN) {
                    break;
                }
                if (done < 0 && done != -Errno.EINTR) {
                    close();
                    return;
                }
                from += (int) Math.max(0, done);
            }
            if (from == to) {
                from = 0;
                to = 0;
                if (!other.readable) {
                    close();
                    return;
                }
            }
            settle();
            other.settle();
        }

        private void settle() {
            boolean takes = readable && other.to < BUFFER_BYTES;
            watch.interest((takes ? Epoll.IN : 0) | (from < to ? Epoll.OUT : 0));
        }
    }

    private final Services services;
    private final Runnable closed;
    private final Side one;
    private final Side two;
    private EventLoop.Timer lastBytes;
    private boolean over;

    /** @param closed once, when both connections are closed */
    Bridge(Services services, int one, int two, Runnable closed) {
        this.services = services;
        this.closed = closed;
        this.one = new Side(one);
        this.two = new Side(two);
        this.one.other = this.two;
        this.two.other = this.one;
        this.one.watch();
        this.two.watch();
    }

    private void ended(Side side) {
        side.readable = false;
        if (side.other.from == side.other.to) {
            close();
        } else {
            side.settle();
            lastBytes = services.loop().after(LAST_BYTES_MILLIS, this::close);
        }
    }

    void close() {
        if (over) {
            return;
        }
        over = true;
        if (lastBytes != null) {
            lastBytes.cancel();
        }
        for (Side side : new Side[] {one, two}) {
            side.watch.end();
            Descriptors.close(side.fd);
        }
        closed.run();
    }
}
