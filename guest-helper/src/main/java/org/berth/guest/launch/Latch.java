package org.berth.guest.launch;

import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.berth.guest.Refused;
import org.berth.guest.Refused.Code;
import org.berth.guest.files.GuestFiles;
import org.berth.guest.json.Json;
import org.berth.guest.os.Children;
import org.berth.guest.os.DirectoryWatch;
import org.berth.guest.os.Errno;
import org.berth.guest.os.Handle;
import org.berth.guest.os.KernelException;
import org.berth.guest.os.Spawn;
import org.berth.guest.terminal.Terminal;

/**
 * Waits for the launch descriptor, starts the native once, records its start and its exit, and stays. Used by one thread.
 */
public final class Latch {
    private static final String LOCK = "control/native.lock";
    private static final String WORK = "work";

    /** The longest time between two looks. */
    private static final long LOOK_MILLIS = 2000;

    private final GuestFiles files;
    private final ResidentOptions options;
    private final Map<String, String> environment;
    private final Terminal terminal;
    private final Children children;

    public Latch(
            GuestFiles files,
            ResidentOptions options,
            Map<String, String> environment,
            Terminal terminal,
            Children children) {
        this.files = files;
        this.options = options;
        this.environment = environment;
        this.terminal = terminal;
        this.children = children;
    }

    /**
     * The whole life of the resident helper.
     *
     * @param line opens once the line to the host is up; the native is not started before
     * @throws Refused PREPARATION_EXPIRED, or what a verification refuses
     */
    public void run(CountDownLatch line) throws InterruptedException {
        await(line);
        Descriptor descriptor = Descriptor.verified(files, Descriptor.PUBLISHED);
        NativeCommand command = NativeCommand.of(files, descriptor, options, environment);
        NativeSettings.write(files, descriptor);
        files.makeDirectory(WORK);
        try (Handle lock = files.openPrivate(LOCK)) {
            if (!lock.lock()) {
                throw new KernelException("flock", Errno.EAGAIN);
            }
            supervise(descriptor, command, lock);
        }
        TimeUnit.MILLISECONDS.sleep(options.stayTime().toMillis());
    }

    private void await(CountDownLatch line) throws InterruptedException {
        long deadline = System.nanoTime() + options.latchTime().toNanos();
        if (!line.await(options.latchTime().toNanos(), TimeUnit.NANOSECONDS)) {
            throw new Refused(Code.PREPARATION_EXPIRED);
        }
        while (true) {
            // A directory that took another's place has no event of the former; so it is watched anew each time.
            try (DirectoryWatch watch = files.watchFor(Descriptor.PUBLISHED)) {
                if (files.exists(Descriptor.PUBLISHED)) {
                    return;
                }
                long left = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
                if (left <= 0) {
                    throw new Refused(Code.PREPARATION_EXPIRED);
                }
                watch.await(Math.min(left, LOOK_MILLIS));
            }
        }
    }

    private void supervise(Descriptor descriptor, NativeCommand command, Handle lock) throws InterruptedException {
        Children.Child<String> child = children.start(
                () -> Spawn.start(
                        options.program(),
                        command.arguments(),
                        command.environment(),
                        files.absolute(WORK),
                        terminal.slave(),
                        lock),
                NativeRecord::startOfAny);
        terminal.pump();
        NativeRecord record =
                new NativeRecord(descriptor.nativeId(), descriptor.generation(), child.pid(), child.started(), null);
        files.install(NativeRecord.PATH, Json.write(record.record()), GuestFiles.PRIVATE);
        long code = exitOf(child);
        files.install(NativeRecord.EXIT_PATH, Json.write(record.exitRecord(code)), GuestFiles.PRIVATE);
    }

    private static long exitOf(Children.Child<String> child) throws InterruptedException {
        try {
            return child.exit().get();
        } catch (ExecutionException e) {
            throw new IllegalStateException(e);
        }
    }

    /** For those without a line: already open. */
    public static CountDownLatch noLine() {
        return new CountDownLatch(0);
    }
}
