package org.berth.process.supervisor;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import org.berth.process.protocol.Frame;
import org.berth.process.protocol.FrameCodec;
import org.berth.process.protocol.ProtocolException;
import org.berth.process.supervisor.loop.EventLoop;
import org.berth.process.supervisor.os.Descriptors;
import org.berth.process.supervisor.os.Epoll;
import org.berth.process.supervisor.os.Errno;
import org.berth.process.supervisor.run.Receiver;
import org.berth.process.supervisor.run.Services;

/** One server's connection: frames in, frames out. Runs on the loop. */
final class Connection implements Receiver {
    /** Bytes waiting for the peer beyond which it gets no more output until it took them. */
    private static final int CONGESTED_BYTES = 1024 * 1024;

    /** Bytes waiting for the peer beyond which it is taken for dead. */
    private static final int ABANDONED_BYTES = 64 * 1024 * 1024;

    private static final int INBOUND_BYTES = 16 * 1024;

    /** Told of what comes in. */
    interface Listener {
        void frame(Connection from, long correlation, Frame frame);

        void drained(Connection connection);

        void closed(Connection connection);
    }

    private final EventLoop loop;
    private final Services services;
    private final int fd;
    private final Listener listener;
    private final EventLoop.Watch watch;
    private final ArrayDeque<ByteBuffer> outbox = new ArrayDeque<>();
    private ByteBuffer inbound = ByteBuffer.allocate(INBOUND_BYTES);
    private long outboxBytes;
    private boolean flushing;
    private boolean congested;
    private boolean closed;

    /** Set by the orders it gave. */
    boolean greeted;

    boolean subscribed;

    Connection(Services services, int fd, Listener listener) {
        this.loop = services.loop();
        this.services = services;
        this.fd = fd;
        this.listener = listener;
        watch = loop.watch(fd, Epoll.IN, this::ready);
    }

    private void ready(int events) {
        if ((events & Epoll.OUT) != 0) {
            flush();
        }
        if (!closed && (events & ~Epoll.OUT) != 0) {
            receive();
        }
    }

    private void receive() {
        long count = Descriptors.read(fd, services.scratch(), Services.SCRATCH_BYTES);
        if (count == -Errno.EAGAIN || count == -Errno.EINTR) {
            return;
        }
        if (count <= 0) {
            close();
            return;
        }
        makeRoom((int) count);
        MemorySegment.copy(
                services.scratch(), ValueLayout.JAVA_BYTE, 0, inbound.array(), inbound.position(), (int) count);
        inbound.position(inbound.position() + (int) count);
        inbound.flip();
        try {
            while (!closed && FrameCodec.holdsFrame(inbound)) {
                FrameCodec.Envelope envelope = FrameCodec.decode(inbound);
                listener.frame(this, envelope.correlation(), envelope.frame());
            }
        } catch (ProtocolException e) {
            close();
        }
        inbound.compact();
        if (inbound.position() == 0 && inbound.capacity() > INBOUND_BYTES) {
            inbound = ByteBuffer.allocate(INBOUND_BYTES);
        }
    }

    private void makeRoom(int count) {
        if (inbound.remaining() < count) {
            int wanted = Math.max(inbound.capacity() * 2, inbound.position() + count);
            ByteBuffer larger = ByteBuffer.allocate(wanted);
            inbound.flip();
            larger.put(inbound);
            inbound = larger;
        }
    }

    void reply(long correlation, Frame.Reply reply) {
        put(correlation, reply);
    }

    @Override
    public void send(Frame.Notice notice) {
        put(0, notice);
    }

    private void put(long correlation, Frame frame) {
        if (closed) {
            return;
        }
        for (ByteBuffer bytes : FrameCodec.encodeParts(correlation, frame)) {
            outbox.add(bytes);
            outboxBytes += bytes.remaining();
        }
        if (outboxBytes > ABANDONED_BYTES) {
            loop.defer(this::close);
        } else if (!flushing) {
            flushing = true;
            loop.defer(this::flush);
        }
    }

    @Override
    public boolean takesMore() {
        congested = congested || outboxBytes > CONGESTED_BYTES;
        return !closed && !congested;
    }

    private void flush() {
        flushing = false;
        while (!closed && !outbox.isEmpty()) {
            int gathered = gather();
            long written = Descriptors.write(fd, services.scratch(), gathered);
            if (written == -Errno.EAGAIN) {
                watch.interest(Epoll.IN | Epoll.OUT);
                return;
            }
            if (written < 0 && written != -Errno.EINTR) {
                close();
                return;
            }
            drop((int) Math.max(0, written));
        }
        if (!closed) {
            watch.interest(Epoll.IN);
            if (congested) {
                congested = false;
                listener.drained(this);
            }
        }
    }

    private int gather() {
        MemorySegment scratch = services.scratch();
        int room = Services.SCRATCH_BYTES;
        int at = 0;
        for (ByteBuffer each : outbox) {
            int count = Math.min(each.remaining(), room - at);
            MemorySegment.copy(
                    each.array(), each.arrayOffset() + each.position(), scratch, ValueLayout.JAVA_BYTE, at, count);
            at += count;
            if (at == room) {
                break;
            }
        }
        return at;
    }

    private void drop(int count) {
        outboxBytes -= count;
        int left = count;
        while (left > 0) {
            ByteBuffer first = outbox.peek();
            int taken = Math.min(left, first.remaining());
            first.position(first.position() + taken);
            left -= taken;
            if (!first.hasRemaining()) {
                outbox.remove();
            }
        }
    }

    /** Whether everything was handed to the kernel. */
    boolean idle() {
        return closed || outbox.isEmpty();
    }

    void close() {
        if (!closed) {
            closed = true;
            watch.end();
            Descriptors.close(fd);
            outbox.clear();
            listener.closed(this);
        }
    }
}
