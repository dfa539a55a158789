package org.berth.process.supervisor.command;

import java.io.ByteArrayOutputStream;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.berth.process.supervisor.loop.EventLoop;
import org.berth.process.supervisor.os.Descriptors;
import org.berth.process.supervisor.os.Epoll;
import org.berth.process.supervisor.os.Errno;
import org.berth.process.supervisor.run.Services;

/** Keeps what a pipe carries, up to a bound. Runs on the loop. */
final class BoundedStream {
    private final Services services;
    private final int fd;
    private final int most;
    private final Runnable overflowed;
    private final Runnable finished;
    private final EventLoop.Watch watch;
    private final ByteArrayOutputStream kept = new ByteArrayOutputStream();
    private boolean ended;

    /**
     * @param overflowed once, when there is more than {@code most}; the stream has ended then
     * @param finished once, when nothing more can come
     */
    BoundedStream(Services services, int fd, int most, Runnable overflowed, Runnable finished) {
        this.services = services;
        this.fd = fd;
        this.most = most;
        this.overflowed = overflowed;
        this.finished = finished;
        watch = services.loop().watch(fd, Epoll.IN, _ -> read());
    }

    private void read() {
        long count = Descriptors.read(fd, services.scratch(), Services.SCRATCH_BYTES);
        if (count == -Errno.EAGAIN || count == -Errno.EINTR) {
            return;
        }
        int room = (int) Math.min(Math.max(0, count), most - kept.size());
        byte[] bytes = new byte[room];
        MemorySegment.copy(services.scratch(), ValueLayout.JAVA_BYTE, 0, bytes, 0, room);
        kept.writeBytes(bytes);
        if (count <= 0 || count > room) {
            close();
            if (count > room) {
                overflowed.run();
            }
            finished.run();
        }
    }

    /** Gives up what may still come. */
    void close() {
        if (!ended) {
            ended = true;
            watch.end();
            Descriptors.close(fd);
        }
    }

    boolean ended() {
        return ended;
    }

    byte[] bytes() {
        return kept.toByteArray();
    }
}
