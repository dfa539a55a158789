package org.berth.process.supervisor;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Clock;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.berth.placement.SpawnOrder;
import org.berth.process.supervisor.channel.Channels;
import org.berth.process.supervisor.command.Commands;
import org.berth.process.supervisor.journal.Entry;
import org.berth.process.supervisor.journal.Journal;
import org.berth.process.supervisor.journal.JournalState;
import org.berth.process.supervisor.log.AttemptLog;
import org.berth.process.supervisor.loop.EventLoop;
import org.berth.process.supervisor.loop.Worker;
import org.berth.process.supervisor.os.Descriptors;
import org.berth.process.supervisor.os.Epoll;
import org.berth.process.supervisor.os.OwnProcess;
import org.berth.process.supervisor.os.UnixSocket;
import org.berth.process.supervisor.run.LogSink;
import org.berth.process.supervisor.run.Runner;
import org.berth.process.supervisor.run.Runners;
import org.berth.process.supervisor.run.Services;
import org.berth.process.supervisor.spawn.HostProbe;
import org.berth.process.supervisor.spawn.Launcher;

/**
 * The program. Exit status 0 after it was told to end, 1 when it cannot start, 2 for a wrong command line, 3 when
 * another supervisor of this build holds the state directory.
 */
public final class Supervisor {
    static final int CANNOT_START = 1;
    static final int WRONG_ARGUMENTS = 2;
    static final int ALREADY_RUNNING = 3;

    /** Milliseconds that replies and the journal get to leave when the supervisor ends. */
    private static final int LAST_WORDS_MILLIS = 2000;

    private static final int PRIVATE_UMASK = 077;
    private static final int SOCKET_UMASK = 0177;

    private final Settings settings;
    private final SupervisorLog log;
    private final String incarnation = UUID.randomUUID().toString();
    private final long uid = OwnProcess.uid();
    private final EventLoop loop;
    private final CountDownLatch closedDown = new CountDownLatch(1);
    private int lock = -1;
    private Journal journal;
    private Worker logWriter;
    private Services services;
    private Runners runners;
    private Commands commands;
    private Channels channels;
    private Orders orders;

    private Supervisor(Settings settings) {
        this.settings = settings;
        this.log = new SupervisorLog(settings.stateDirectory().resolve("supervisor.log"));
        this.loop = new EventLoop(log::failure);
    }

    public static void main(String[] arguments) {
        Settings settings;
        try {
            settings = Settings.parse(List.of(arguments), System.getenv());
        } catch (IllegalArgumentException e) {
            System.err.println("berth-supervisor: " + e.getMessage());
            System.exit(WRONG_ARGUMENTS);
            return;
        }
        OwnProcess.umask(PRIVATE_UMASK);
        OwnProcess.settleSignals();
        try {
            new Supervisor(settings).run();
        } catch (AlreadyRunningException e) {
            System.err.println("berth-supervisor: " + e.getMessage());
            System.exit(ALREADY_RUNNING);
        } catch (IOException | RuntimeException e) {
            System.err.println("berth-supervisor: " + e.getMessage());
            System.exit(CANNOT_START);
        }
        System.exit(0);
    }

    private static final class AlreadyRunningException extends IOException {
        AlreadyRunningException(String message) {
            super(message);
        }
    }

    private void run() throws IOException {
        PrivateDirectory.requireTree(settings.stateDirectory(), uid);
        takeLock();
        PrivateDirectory.requireTree(settings.socketDirectory(), uid);
        JournalState recovered = new JournalState();
        journal = Journal.open(settings.journal(), recovered, loop::post, log::line);
        Launcher launcher = new Launcher();
        Worker spawner = new Worker("spawner", log::failure, () -> OwnProcess.ownDirectoryAndUmask(PRIVATE_UMASK));
        Worker observer = new Worker("observer", log::failure, () -> {});
        logWriter = new Worker("log-writer", log::failure, () -> {});
        services = new Services(
                loop,
                journal,
                spawner,
                observer,
                launcher,
                settings.limits(),
                Clock.systemUTC(),
                Arena.global().allocate(Services.SCRATCH_BYTES),
                event -> orders.publish(event));
        runners = new Runners(services, this::openLog);
        commands = new Commands(services);
        HostProbe probe = new HostProbe(launcher.containment());
        channels = new Channels(services, settings.channels(), settings.socketDirectory(), log::line, log::failure);
        orders = new Orders(
                services, runners, commands, channels, incarnation, settings.build(), probe::measure, this::end);
        runners.restore(recovered);
        channels.restore();
        int listener = listen();
        loop.watch(listener, Epoll.IN, _ -> accept(listener));
        Runtime.getRuntime().addShutdownHook(new Thread(this::terminated, "terminated"));
        log.line("started: incarnation " + incarnation + ", build " + settings.build() + ", attempts "
                + runners.all().size());
        loop.run();
        Files.deleteIfExists(settings.socket());
        log.line("ended: attempts " + runners.all().size());
        closedDown.countDown();
    }

    private void takeLock() throws IOException {
        Path file = settings.lock();
        int flags = Descriptors.O_RDWR | Descriptors.O_CREAT | Descriptors.O_CLOEXEC;
        lock = Descriptors.open(file.toString(), flags, 0600);
        if (lock < 0) {
            throw new IOException(file + " cannot be opened, error number " + -lock + "; check its owner and mode");
        }
        if (!Descriptors.lock(lock)) {
            throw new AlreadyRunningException(file + " is held by a running supervisor of this build ("
                    + Files.readString(file).strip().replace('\n', ' ') + "); end that one first, or use it");
        }
        Files.writeString(
                file,
                "pid=" + ProcessHandle.current().pid() + "\nincarnation=" + incarnation + "\nbuild=" + settings.build()
                        + "\nsocket=" + settings.socket() + "\n",
                StandardCharsets.UTF_8,
                StandardOpenOption.TRUNCATE_EXISTING,
                StandardOpenOption.WRITE);
    }

    private int listen() throws IOException {
        Path socket = settings.socket();
        Files.deleteIfExists(socket);
        OwnProcess.umask(SOCKET_UMASK);
        try {
            return UnixSocket.listen(socket.toString());
        } catch (IllegalArgumentException e) {
            throw new IOException(e.getMessage() + "; choose a shorter --socket-dir", e);
        } finally {
            OwnProcess.umask(PRIVATE_UMASK);
        }
    }

    private void accept(int listener) {
        int fd = UnixSocket.accept(listener);
        if (fd < 0) {
            return;
        }
        UnixSocket.Peer peer = UnixSocket.peer(fd);
        if (!peer.isOf(uid)) {
            Descriptors.close(fd);
            services.observer().execute(() -> log.line("refused a connection of user " + peer.uid()));
            return;
        }
        orders.connected(new Connection(services, fd, orders));
    }

    private LogSink openLog(SpawnOrder order) {
        return new AttemptLog(logWriter, loop::post, log::line, order.log(), order.terminal() != null);
    }

    /** Ends once the replies have left and the journal holds what was given to it. */
    private void end() {
        commands.end(() -> journal.append(new Entry.NotSpawned(""), () -> loop.defer(this::leave)));
    }

    private void leave() {
        long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(LAST_WORDS_MILLIS);
        awaitIdle(deadline);
    }

    private void awaitIdle(long deadline) {
        if (orders.idle() || System.nanoTime() - deadline > 0) {
            runners.all().forEach(Runner::close);
            loop.stop();
        } else {
            loop.after(5, () -> awaitIdle(deadline));
        }
    }

    /** The operator or the machine ends us: children go on, the journal is whole. */
    private void terminated() {
        if (closedDown.getCount() > 0) {
            loop.post(this::end);
            try {
                closedDown.await(LAST_WORDS_MILLIS * 2L, TimeUnit.MILLISECONDS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
