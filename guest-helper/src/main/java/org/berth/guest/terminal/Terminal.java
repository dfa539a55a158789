package org.berth.guest.terminal;

import java.io.DataInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ByteChannel;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.berth.guest.os.Kernel;
import org.berth.guest.os.KernelException;
import org.berth.guest.os.Pty;
import org.berth.guest.os.TerminalSize;

/**
 * The native's terminal. Its output is always read, so the native never waits for a viewer; viewers come and go, each
 * gets what is shown from its coming on, beginning with a redraw. The newest size of any viewer holds. Safe for any
 * thread.
 */
public final class Terminal {
    /** Size before a viewer tells its own. Source: facts, agents. */
    public static final TerminalSize INITIAL = new TerminalSize(40, 120);

    private static final int CHUNK_BYTES = 16_384;
    private static final int MAX_VIEWERS = 8;
    /** Keys that wait for the native to read; more are dropped with their viewer. */
    private static final int WAITING_KEYS = 256;

    /** A native that draws nothing at a change of size within this time draws nothing at all. */
    private static final long REDRAW_MILLIS = 2_000;
    /** What the native writes sooner may be older than the change. */
    private static final long REDRAW_LEAST_MILLIS = 60;

    private final Set<Viewer> viewers = ConcurrentHashMap.newKeySet();
    private final BlockingQueue<byte[]> keys = new ArrayBlockingQueue<>(WAITING_KEYS);
    private final AtomicBoolean ended = new AtomicBoolean();
    private final Pty pty;
    private TerminalSize size = INITIAL;
    /** What the size becomes once a redraw that goes on has been seen. */
    private TerminalSize wanted = INITIAL;

    private boolean redrawing;
    private long shown;

    private Terminal(Pty pty) {
        this.pty = pty;
    }

    public static Terminal open() {
        return new Terminal(Pty.open(INITIAL));
    }

    /** The path that the native opens as its terminal. */
    public String slave() {
        return pty.slave();
    }

    /** Begins to read; after the native was started. */
    public void pump() {
        Thread.ofPlatform().name("terminal output").daemon().start(this::readAll);
        Thread.ofPlatform().name("terminal input").daemon().start(this::writeAll);
    }

    private void readAll() {
        ByteBuffer buffer = Kernel.memory(CHUNK_BYTES);
        while (pty.read(buffer.clear()) >= 0) {
            byte[] bytes = new byte[buffer.flip().remaining()];
            buffer.get(bytes);
            viewers.forEach(viewer -> viewer.show(bytes));
            countShown();
        }
        ended.set(true);
        viewers.forEach(Viewer::end);
    }

    private void writeAll() {
        try {
            while (true) {
                byte[] bytes = keys.take();
                ByteBuffer buffer = Kernel.memory(bytes.length);
                pty.write(buffer.put(bytes).flip());
            }
        } catch (KernelException e) {
            ended.set(true);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Serves one viewer until it goes, is dropped or the native ends; closes {@code channel}. */
    public void serve(ByteChannel channel) {
        Viewer viewer = new Viewer(channel);
        if (viewers.size() >= MAX_VIEWERS) {
            viewer.close();
            return;
        }
        viewers.add(viewer);
        Thread writer = Thread.ofPlatform().name("viewer output").daemon().start(viewer::writeAll);
        try {
            if (ended.get()) {
                viewer.end();
                writer.join();
            } else {
                readFrames(viewer);
            }
        } catch (IOException e) {
            // A viewer that broke off is as good as one that left.
            viewer.close();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            viewers.remove(viewer);
            viewer.close();
        }
    }

    private void readFrames(Viewer viewer) throws IOException {
        DataInputStream in = viewer.input();
        boolean redrawn = false;
        for (ViewerFrame frame = ViewerFrame.read(in); frame != null; frame = ViewerFrame.read(in)) {
            switch (frame) {
                case ViewerFrame.Keys typed -> {
                    if (!keys.offer(typed.bytes())) {
                        return;
                    }
                }
                case ViewerFrame.Size other -> {
                    if (redrawn) {
                        resize(other.size());
                    } else {
                        redraw(other.size());
                        redrawn = true;
                    }
                }
            }
        }
    }

    private synchronized void countShown() {
        shown++;
        notifyAll();
    }

    /** Gives the terminal another size; during a redraw, with its end. */
    public synchronized void resize(TerminalSize other) {
        wanted = other;
        if (!redrawing) {
            apply(other);
        }
    }

    private void apply(TerminalSize other) {
        if (!other.equals(size)) {
            pty.resize(other);
            size = other;
        }
    }

    /**
     * Ends with size {@code other} by way of another one, so that the native draws its screen anew. The way goes on when
     * the native has drawn: two changes that it meets at once are none to it, and the window would stay empty.
     */
    private synchronized void redraw(TerminalSize other) {
        wanted = other;
        if (!redrawing) {
            redrawing = true;
            apply(new TerminalSize(other.rows() == 1 ? 2 : other.rows() - 1, other.columns()));
            long before = shown;
            Thread.ofPlatform().name("redraw").daemon().start(() -> endRedraw(before));
        }
    }

    private void endRedraw(long before) {
        try {
            Thread.sleep(REDRAW_LEAST_MILLIS);
            awaitShown(before);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        synchronized (this) {
            redrawing = false;
            apply(wanted);
        }
    }

    private synchronized void awaitShown(long before) throws InterruptedException {
        long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(REDRAW_MILLIS);
        for (long left = deadline - System.nanoTime();
                shown == before && left > 0;
                left = deadline - System.nanoTime()) {
            TimeUnit.NANOSECONDS.timedWait(this, left);
        }
    }
}
