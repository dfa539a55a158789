package org.berth.process.supervisor.run;

import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.berth.placement.Exit;
import org.berth.placement.OutputStreamKind;
import org.berth.placement.SpawnOrder;
import org.berth.process.protocol.Frame;
import org.berth.process.supervisor.loop.EventLoop;
import org.berth.process.supervisor.os.Descriptors;
import org.berth.process.supervisor.os.Epoll;
import org.berth.process.supervisor.os.Errno;

/**
 * Moves a child's output into the spool and from there to the receiver and the log. Reading pauses while the spool is
 * full. After the exit it goes on for the drain's time; what nobody consumed is kept for the retention's time.
 */
final class OutputPump {
    /** Reads of one wake, so that one child cannot starve the others. Source: facts, 8 reads a wake. */
    private static final int READS_A_WAKE = 8;

    /** Told of what becomes evidence. */
    interface Listener {
        void drainElapsed();

        void lost(Spool.Loss loss);

        /** Both streams ended after the exit and nothing is left to deliver. Once. */
        void done();
    }

    private final class Source {
        private final OutputStreamKind kind;
        private final int fd;
        private final EventLoop.Watch watch;

        private Source(OutputStreamKind kind, int fd) {
            this.kind = kind;
            this.fd = fd;
            watch = services.loop().watch(fd, Epoll.IN, _ -> readFrom(this));
        }
    }

    private final Services services;
    private final String attemptKey;
    private final int drainMillis;
    private final int retainMillis;
    private final LogSink log;
    private final Listener listener;
    private final Spool spool;
    private final List<Source> sources = new ArrayList<>();
    private Receiver receiver;
    private long generation;
    private Exit announcedExit;
    private boolean exited;
    private boolean paused;
    private boolean done;
    private long drainLeft;
    private long drainStarted;
    private EventLoop.Timer drainTimer;
    private EventLoop.Timer retainTimer;
    private boolean takenOver;
    private EventLoop.Timer takeoverTimer;
    private long fed;
    private long logged;
    private long received;
    private boolean logFinished;

    OutputPump(
            Services services,
            String attemptKey,
            int drainMillis,
            int retainMillis,
            LogSink log,
            SpawnOrder.Buffer buffer,
            Listener listener) {
        this.services = services;
        this.attemptKey = attemptKey;
        this.drainMillis = drainMillis;
        this.retainMillis = retainMillis;
        this.log = log;
        this.listener = listener;
        this.spool = new Spool(services.limits().with(buffer));
        this.drainLeft = drainMillis;
    }

    void open(OutputStreamKind kind, int fd) {
        if (fd >= 0) {
            sources.add(new Source(kind, fd));
        }
    }

    boolean streamsOpen() {
        return !sources.isEmpty();
    }

    int unacknowledged() {
        return spool.unacknowledged();
    }

    long unacknowledgedBytes() {
        return spool.unacknowledgedBytes();
    }

    /** The generation of the start. One that was attached to before it has a receiver on its way. */
    void generation(long value) {
        generation = value;
        if (value > 0) {
            expectReceiver();
        }
    }

    /** A stream takes over the acknowledgement of a log; one that does not come in time leaves it to the log. */
    private void expectReceiver() {
        if (log != null) {
            takenOver = true;
            takeoverTimer = cancel(takeoverTimer);
            takeoverTimer = services.loop().after(services.limits().takeoverMillis(), () -> {
                takenOver = false;
                consume();
            });
        }
    }

    private void readFrom(Source source) {
        int chunk = services.limits().chunkBytes();
        for (int i = 0; i < READS_A_WAKE; i++) {
            if (spool.full()) {
                pause();
                break;
            }
            long count = Descriptors.read(source.fd, services.scratch(), chunk);
            if (count > 0) {
                spool.add(source.kind, services.scratch().asSlice(0, count).toArray(ValueLayout.JAVA_BYTE));
            } else if (count == -Errno.EAGAIN) {
                break;
            } else if (count != -Errno.EINTR) {
                end(source, count != 0 && count != -Errno.EIO);
                break;
            }
        }
        if (!paused) {
            source.watch.interest(Epoll.IN);
        }
        services.loop().defer(this::deliver);
    }

    private void end(Source source, boolean truncated) {
        source.watch.end();
        Descriptors.close(source.fd);
        sources.remove(source);
        spool.end(source.kind, truncated);
    }

    private void pause() {
        if (!paused) {
            paused = true;
            sources.forEach(source -> source.watch.interest(0));
            if (exited) {
                drainTimer = cancel(drainTimer);
                drainLeft -= (System.nanoTime() - drainStarted) / 1_000_000;
                waitForRoom();
            }
        }
    }

    private void resume() {
        if (paused) {
            paused = false;
            if (exited) {
                drain();
            }
            readOn();
        }
    }

    /**
     * Reads at once: while a fast child keeps the spool full, its descriptor never goes back to the poll. The streams
     * take turns in being first, since the first may take all the room.
     */
    private void readOn() {
        Collections.rotate(sources, 1);
        List.copyOf(sources).forEach(this::readFrom);
    }

    private void waitForRoom() {
        drainTimer = cancel(drainTimer);
        drainTimer = services.loop().after(retainMillis, this::endDrain);
    }

    private void drain() {
        drainTimer = cancel(drainTimer);
        if (!sources.isEmpty()) {
            drainStarted = System.nanoTime();
            drainTimer = services.loop().after(drainLeft, this::endDrain);
        }
    }

    private void endDrain() {
        drainTimer = null;
        if (sources.isEmpty()) {
            return;
        }
        List.copyOf(sources).forEach(source -> end(source, true));
        listener.drainElapsed();
        deliver();
    }

    private static EventLoop.Timer cancel(EventLoop.Timer timer) {
        if (timer != null) {
            timer.cancel();
        }
        return null;
    }

    /** Sends what may be sent, and settles what follows from that. */
    void deliver() {
        while (receiver != null && receiver.takesMore()) {
            Spool.Chunk chunk = spool.nextToSend();
            if (chunk == null) {
                break;
            }
            receiver.send(new Frame.Output(
                    attemptKey,
                    generation,
                    chunk.stream().code(),
                    chunk.sequence(),
                    chunk.eof(),
                    chunk.truncated(),
                    chunk.data()));
        }
        feedLog();
        if (paused && !spool.full()) {
            resume();
        }
        settle();
    }

    private void feedLog() {
        if (log == null) {
            return;
        }
        while (fed < spool.newest()) {
            Spool.Chunk chunk = spool.sealed(++fed);
            long sequence = fed;
            log.take(chunk, () -> {
                logged = sequence;
                consume();
            });
        }
        if (sources.isEmpty() && exited && !logFinished) {
            logFinished = true;
            log.finish();
        }
    }

    private void consume() {
        long through = log == null ? received : takenOver ? Math.min(logged, received) : logged;
        if (spool.consume(through)) {
            if (exited && paused) {
                waitForRoom();
            }
            deliver();
        }
    }

    private void settle() {
        if (done || !exited || !sources.isEmpty()) {
            return;
        }
        if (spool.unacknowledged() == 0) {
            done = true;
            drainTimer = cancel(drainTimer);
            retainTimer = cancel(retainTimer);
            listener.done();
        } else if (retainTimer == null) {
            retainTimer = services.loop().after(retainMillis, this::giveUp);
        }
    }

    private void giveUp() {
        Spool.Loss loss = spool.giveUp();
        if (loss.chunks() > 0) {
            listener.lost(loss);
        }
        settle();
    }

    /** The child ended: the drain begins. */
    void exited() {
        exited = true;
        if (paused) {
            waitForRoom();
        } else {
            drain();
        }
        deliver();
    }

    /** The exit is journalled. */
    void announce(Exit exit) {
        announcedExit = exit;
        if (receiver != null) {
            receiver.send(new Frame.ExitNotice(attemptKey, generation, exit));
        }
    }

    /** {@code next} receives from now on, first what is not consumed. */
    void receive(Receiver next) {
        Receiver before = receiver;
        receiver = next;
        takeoverTimer = cancel(takeoverTimer);
        takenOver = true;
        received = spool.newest() - spool.unacknowledged();
        spool.rewind();
        if (before != null && before != next) {
            before.send(new Frame.Fenced(attemptKey, generation));
        }
        if (announcedExit != null) {
            next.send(new Frame.ExitNotice(attemptKey, generation, announcedExit));
        }
        deliver();
    }

    /** The generation is raised: the receiver's turn ends, and it is told. */
    void fence(long next) {
        generation = next;
        if (receiver != null) {
            receiver.send(new Frame.Fenced(attemptKey, next));
            lost(receiver);
        }
        expectReceiver();
    }

    /** {@code gone} receives no longer; what it did not acknowledge stays. */
    void lost(Receiver gone) {
        if (receiver != gone) {
            return;
        }
        receiver = null;
        if (takenOver) {
            expectReceiver();
        }
    }

    boolean receivedBy(Receiver candidate) {
        return receiver == candidate;
    }

    void acknowledge(long by, long through) {
        if (by == generation && spool.wasSent(through) && through > received) {
            received = through;
            consume();
        }
    }

    /** Ends everything; the descriptors are closed. */
    void close() {
        drainTimer = cancel(drainTimer);
        retainTimer = cancel(retainTimer);
        takeoverTimer = cancel(takeoverTimer);
        for (Source source : sources) {
            source.watch.end();
            Descriptors.close(source.fd);
        }
        sources.clear();
        if (log != null && !logFinished) {
            logFinished = true;
            log.finish();
        }
    }
}
