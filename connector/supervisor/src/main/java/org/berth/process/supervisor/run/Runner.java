package org.berth.process.supervisor.run;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.berth.placement.EvidenceKind;
import org.berth.placement.Exit;
import org.berth.placement.FenceOutcome;
import org.berth.placement.InputOutcome;
import org.berth.placement.OutputStreamKind;
import org.berth.placement.ProcessEvent;
import org.berth.placement.ProcessIdentity;
import org.berth.placement.RunnerState;
import org.berth.placement.RunnerStatus;
import org.berth.placement.SpawnOrder;
import org.berth.placement.SpawnOutcome;
import org.berth.placement.StopMode;
import org.berth.placement.StopOutcome;
import org.berth.placement.TerminalSize;
import org.berth.process.protocol.Frame;
import org.berth.process.supervisor.FaultPoint;
import org.berth.process.supervisor.journal.AttemptImage;
import org.berth.process.supervisor.journal.Entry;
import org.berth.process.supervisor.os.Descriptors;
import org.berth.process.supervisor.os.PidFd;
import org.berth.process.supervisor.os.Pty;
import org.berth.process.supervisor.spawn.Child;

/** One attempt, from its spawn order until it is forgotten. */
public final class Runner {
    /** Survivors that an exit's evidence names. */
    private static final int NAMED_SURVIVORS = 16;

    private final Services services;
    private final String attemptKey;
    private final String nonce;
    private final EventLog events;
    private RunnerState state;
    private long generation;
    private SpawnOutcome outcome;
    private Child child;
    private Exit exit;
    private OutputPump output;
    private Input input;
    private Stopper stopper;
    private ExitWatch exitWatch;
    private Consumer<Exit> onExit = _ -> {};

    private Runner(Services services, String attemptKey, String nonce, EventLog events, long generation) {
        this.services = services;
        this.attemptKey = attemptKey;
        this.nonce = nonce;
        this.events = events;
        this.generation = generation;
    }

    /** An attempt whose child is being started. */
    public static Runner spawning(Services services, SpawnOrder order) {
        EventLog events = new EventLog(services, order.attemptKey(), order.nonce(), 0, List.of());
        Runner runner = new Runner(services, order.attemptKey(), order.nonce(), events, order.generation());
        runner.state = RunnerState.SPAWNING;
        return runner;
    }

    /** The child runs: its spawn is journalled, then told to {@code durable}. */
    public void started(SpawnOrder order, Child started, LogSink log, Runnable durable) {
        child = started;
        outcome = new SpawnOutcome.Spawned(started.identity(), started.measured());
        services.journal().append(new Entry.Spawned(attemptKey, started.identity(), started.measured()), () -> {
            FaultPoint.AFTER_SPAWNED_JOURNALLED.pass();
            if (state == RunnerState.SPAWNING) {
                state = RunnerState.RUNNING;
            }
            durable.run();
        });
        output = new OutputPump(
                services,
                attemptKey,
                order.drainMillis(),
                order.retainMillis(),
                log,
                order.buffer(),
                new OutputEvidence());
        output.generation(generation);
        output.open(OutputStreamKind.TTY, started.terminal());
        output.open(OutputStreamKind.STDOUT, started.stdout());
        output.open(OutputStreamKind.STDERR, started.stderr());
        boolean terminal = started.terminal() >= 0;
        int stdin = terminal ? Descriptors.duplicate(started.terminal()) : started.stdin();
        input = new Input(services, stdin, terminal, events::add);
        input.begin(order.stdin(), order.stdinEof());
        stopper = new Stopper(services, attemptKey, started, events::add);
        exitWatch = new ExitWatch(services, started, true, this::ended);
    }

    /** A live child of an earlier supervisor. */
    public static Runner adopted(Services services, AttemptImage image, Child child) {
        Runner runner = restored(services, image);
        runner.state = RunnerState.RUNNING;
        runner.child = child;
        runner.outcome = new SpawnOutcome.Spawned(child.identity(), image.measured());
        runner.events.add(
                EvidenceKind.CARRIER_REPLACED,
                Map.of("pid", Long.toString(child.identity().pid())));
        runner.loseOutput(image);
        runner.stopper = new Stopper(services, image.attemptKey(), child, runner.events::add);
        if (image.stop() != null) {
            runner.stopper.resume(image.stop(), image.stopDeadlineMillis());
        }
        runner.exitWatch = new ExitWatch(services, child, false, runner::ended);
        return runner;
    }

    /** An attempt that had ended, or of which nothing more can be learnt. */
    public static Runner ended(Services services, AttemptImage image, Exit found) {
        Runner runner = restored(services, image);
        runner.outcome = image.identity() == null
                ? new SpawnOutcome.Undecided("the supervisor ended while it started the child")
                : new SpawnOutcome.Spawned(image.identity(), image.measured());
        if (found == null) {
            runner.state = RunnerState.UNCERTAIN;
            return runner;
        }
        runner.state = RunnerState.EXITED;
        runner.exit = found;
        runner.output.announce(found);
        runner.loseOutput(image);
        if (image.exit() == null) {
            runner.journalExit(found, List.of());
        }
        return runner;
    }

    private static Runner restored(Services services, AttemptImage image) {
        EventLog events =
                new EventLog(services, image.attemptKey(), image.nonce(), image.lastEvent(), image.unrecorded());
        Runner runner = new Runner(services, image.attemptKey(), image.nonce(), events, image.generation());
        runner.output = runner.withoutStreams();
        return runner;
    }

    /** The output went with the earlier supervisor; a recipient still hears of the exit. */
    private OutputPump withoutStreams() {
        OutputPump pump = new OutputPump(services, attemptKey, 0, 0, null, null, new OutputEvidence());
        pump.generation(generation);
        return pump;
    }

    private void loseOutput(AttemptImage image) {
        if (!image.outputDone()) {
            events.add(EvidenceKind.OUTPUT_LOST, Map.of("chunks", "unknown", "bytes", "unknown"));
            services.journal().append(new Entry.OutputDone(attemptKey));
        }
    }

    private final class OutputEvidence implements OutputPump.Listener {
        @Override
        public void drainElapsed() {
            events.add(EvidenceKind.OUTPUT_DRAIN_ELAPSED, Map.of());
        }

        @Override
        public void lost(Spool.Loss loss) {
            Map<String, String> detail = new HashMap<>();
            detail.put("chunks", Integer.toString(loss.chunks()));
            loss.bytes()
                    .forEach((kind, count) ->
                            detail.put(kind.name().toLowerCase(Locale.ROOT) + "_bytes", count.toString()));
            events.add(EvidenceKind.OUTPUT_LOST, detail);
        }

        @Override
        public void done() {
            services.journal().append(new Entry.OutputDone(attemptKey));
        }
    }

    private void ended(Exit how) {
        if (input != null) {
            input.exited();
        }
        stopper.leaderEnded();
        if (output != null) {
            output.exited();
        }
        long group = child.identity().group();
        if (!PidFd.groupAnswers(group)) {
            journalExit(how, List.of());
            return;
        }
        services.observer().execute(() -> {
            List<Long> survivors = Stopper.survivors(group, NAMED_SURVIVORS);
            services.loop().post(() -> journalExit(how, survivors));
        });
    }

    private void journalExit(Exit how, List<Long> survivors) {
        FaultPoint.BEFORE_EXIT_JOURNALLED.pass();
        Map<String, String> detail = new HashMap<>(child == null ? Map.of() : child.notes());
        switch (how) {
            case Exit.Exited(int code) -> detail.put("code", Integer.toString(code));
            case Exit.Signalled(int signal) -> detail.put("signal", Integer.toString(signal));
            case Exit.Unknown(String reason) -> detail.put("reason", reason);
        }
        if (!survivors.isEmpty()) {
            detail.put("survivors", survivors.stream().map(String::valueOf).collect(Collectors.joining(",")));
        }
        StopMode stop = stopper == null ? null : stopper.requested();
        if (stop != null) {
            detail.put("stop", stop.name().toLowerCase(Locale.ROOT));
        }
        identify(detail);
        events.add(EvidenceKind.CHILD_EXITED, detail, how, () -> {
            FaultPoint.AFTER_EXIT_JOURNALLED.pass();
            exit = how;
            state = RunnerState.EXITED;
            if (output != null) {
                output.announce(how);
            }
            onExit.accept(how);
        });
    }

    /** Whose exit it is: the server may not have heard of the child yet. */
    private void identify(Map<String, String> detail) {
        ProcessIdentity identity = identity();
        if (identity == null) {
            return;
        }
        detail.put("pid", Long.toString(identity.pid()));
        detail.put("group", Long.toString(identity.group()));
        detail.put("start_ticks", Long.toString(identity.startTicks()));
        detail.put("boot_id", identity.bootId());
        ProcessIdentity.Tree tree = identity.tree();
        if (tree != null) {
            detail.put("init_pid", Long.toString(tree.initPid()));
            detail.put("init_start_ticks", Long.toString(tree.initStartTicks()));
            detail.put("inner_pid", Long.toString(tree.innerPid()));
            detail.put("inner_start_ticks", Long.toString(tree.innerStartTicks()));
        }
    }

    /** The start broke off. */
    void undecided(String sentence) {
        state = RunnerState.UNCERTAIN;
        outcome = new SpawnOutcome.Undecided(sentence);
    }

    public String attemptKey() {
        return attemptKey;
    }

    public boolean ownedBy(String candidate) {
        return MessageDigest.isEqual(
                nonce.getBytes(StandardCharsets.UTF_8), candidate.getBytes(StandardCharsets.UTF_8));
    }

    /** What the spawn came to; null while it is under way. */
    public SpawnOutcome outcome() {
        return state == RunnerState.SPAWNING ? null : outcome;
    }

    public ProcessIdentity identity() {
        return child != null
                ? child.identity()
                : outcome instanceof SpawnOutcome.Spawned spawned ? spawned.identity() : null;
    }

    public boolean ended() {
        return state == RunnerState.EXITED || state == RunnerState.UNCERTAIN;
    }

    public boolean live() {
        return state == RunnerState.RUNNING || state == RunnerState.SPAWNING;
    }

    public RunnerStatus status() {
        return new RunnerStatus(
                attemptKey,
                nonce,
                state,
                identity(),
                exit,
                generation,
                output != null && output.streamsOpen(),
                output == null ? 0 : output.unacknowledged(),
                output == null ? 0 : output.unacknowledgedBytes(),
                events.last());
    }

    public List<ProcessEvent> unrecorded() {
        return events.unrecorded();
    }

    public void recorded(long sequence) {
        events.recorded(sequence);
    }

    /** Runs {@code action} when the exit is journalled; at once when it is already. */
    public void whenExited(Consumer<Exit> action) {
        if (exit != null) {
            action.accept(exit);
        } else {
            Consumer<Exit> before = onExit;
            onExit = before.andThen(action);
        }
    }

    public void stop(StopMode mode, int graceMillis, Consumer<StopOutcome> reply) {
        if (stopper != null) {
            stopper.order(mode, graceMillis, reply);
        } else if (state == RunnerState.SPAWNING) {
            // Nothing is there to signal: who ordered the spawn orders the stop again when it hears of the child.
            reply.accept(StopOutcome.UNKNOWN_ATTEMPT);
        } else if (state == RunnerState.EXITED && !PidFd.groupAnswers(identity().group())) {
            reply.accept(StopOutcome.NOTHING_LEFT);
        } else {
            events.add(EvidenceKind.STOP_UNPROVEN, Map.of("reason", "the leader is not identified alive"));
            reply.accept(StopOutcome.UNPROVEN);
        }
    }

    /** Raises the generation; {@code reply} runs once that is durable and the older receiver was told. */
    public void fence(long next, Consumer<FenceOutcome> reply) {
        if (next <= generation) {
            reply.accept(fenceOutcome(next == generation));
            return;
        }
        generation = next;
        FaultPoint.BEFORE_FENCE_JOURNALLED.pass();
        services.journal().append(new Entry.Fenced(attemptKey, next), () -> FaultPoint.AFTER_FENCE_JOURNALLED.pass());
        if (output != null) {
            output.fence(next);
        }
        events.add(
                EvidenceKind.ATTACHMENT_FENCED,
                Map.of("generation", Long.toString(next)),
                null,
                () -> reply.accept(fenceOutcome(true)));
    }

    private FenceOutcome fenceOutcome(boolean accepted) {
        boolean spool = output != null && (output.streamsOpen() || output.unacknowledged() > 0);
        return new FenceOutcome(accepted, generation, true, spool);
    }

    /** @return accepted only for the generation in force; the reply must be sent before the output */
    public FenceOutcome mayReceive(long asked) {
        return fenceOutcome(asked == generation && output != null);
    }

    public void receive(Receiver receiver) {
        output.receive(receiver);
    }

    public void release(Receiver receiver) {
        if (output != null) {
            output.lost(receiver);
        }
    }

    /** The receiver can take more. */
    public void deliver(Receiver receiver) {
        if (output != null && output.receivedBy(receiver)) {
            output.deliver();
        }
    }

    public void acknowledge(long by, long through) {
        if (output != null) {
            output.acknowledge(by, through);
        }
    }

    public void write(Frame.Write order, Consumer<InputOutcome> reply) {
        if (order.generation() != generation) {
            reply.accept(new InputOutcome(false, generation, "fenced"));
        } else if (input == null) {
            reply.accept(new InputOutcome(false, generation, exit != null ? "exited" : "closed"));
        } else {
            input.write(order.writeId(), order.data(), generation, reply);
        }
    }

    public boolean wrote(String writeId) {
        return input != null && input.wrote(writeId);
    }

    public InputOutcome closeStdin() {
        return input == null ? new InputOutcome(true, generation, null) : input.close(generation);
    }

    public InputOutcome resize(long by, TerminalSize size) {
        if (by != generation) {
            return new InputOutcome(false, generation, "fenced");
        }
        boolean done = child != null
                && output != null
                && output.streamsOpen()
                && child.terminal() >= 0
                && Pty.resize(child.terminal(), size) == 0;
        return new InputOutcome(done, generation, done ? null : exit != null ? "exited" : "closed");
    }

    /** Frees everything. The child, if it lives, goes on by itself. */
    public void close() {
        if (output != null) {
            output.close();
        }
        if (input != null) {
            input.shut();
        }
        if (stopper != null) {
            stopper.close();
        }
        if (exitWatch != null) {
            exitWatch.close();
        }
    }
}
