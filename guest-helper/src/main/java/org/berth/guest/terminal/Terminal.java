package org.berth.guest.terminal;

import java.io.DataInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ByteChannel;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
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

    private static final long REDRAW_MILLIS = 60;

    private final Set<Viewer> viewers = ConcurrentHashMap.newKeySet();
    private final BlockingQueue<byte[]> keys = new ArrayBlockingQueue<>(WAITING_KEYS);
    private final AtomicBoolean ended = new AtomicBoolean();
    private final Pty pty;
    private TerminalSize size = INITIAL;

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

    /** Gives the terminal another size. */
    public synchronized void resize(TerminalSize wanted) {
        if (!wanted.equals(size)) {
            pty.resize(wanted);
            size = wanted;
        }
    }

    /** Ends with size {@code wanted} by way of another one, so that the native draws its screen anew. */
    private synchronized void redraw(TerminalSize wanted) {
        int rows = wanted.rows() == 1 ? 2 : wanted.rows() - 1;
        resize(new TerminalSize(rows, wanted.columns()));
        try {
            Thread.sleep(REDRAW_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        resize(wanted);
    }
}
