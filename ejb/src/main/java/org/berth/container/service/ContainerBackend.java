package org.berth.container.service;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.berth.container.ContainerExit;
import org.berth.container.ContainerLabels;
import org.berth.container.ContainerPlan;
import org.berth.container.ContainerRecord;
import org.berth.container.ContainerRecord.Phase;
import org.berth.container.ContainerState;
import org.berth.host.service.Host;
import org.berth.placement.Attempt;
import org.berth.placement.Capability;
import org.berth.placement.Exit;
import org.berth.placement.SpawnOrder;
import org.berth.problem.BerthException;

/**
 * The containers of this host's attempts: created under one name after their intent is recorded, known by their full
 * identity, ended and removed by their id only. Every method blocks and belongs into no transaction. Source:
 * placement.md, Container backend.
 */
@ApplicationScoped
public class ContainerBackend {
    /** Between two looks at a container that is about to end. An own choice: an engine answers in about 5 ms. */
    private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

    /** How long a container may outlive its client's own end before it is killed. An own choice. */
    private static final long LAG_MILLIS = 2_000;

    /** How long a killed container may take to be seen ended. An own choice; engines allow ten seconds. */
    private static final long KILL_MILLIS = 10_000;

    /** Never typed together, so that nobody leaves a container by his keys; engines know no "none". */
    private static final String NO_KEYS = "ctrl-^,ctrl-_,ctrl-],ctrl-^,ctrl-_,ctrl-],ctrl-^,ctrl-_";

    @Inject
    private Host host;

    @Inject
    private ContainerEngines engines;

    @Inject
    private ContainerLedger ledger;

    @Inject
    private Clock clock;

    /** By attempt key; every row of this host that was not proven absent. Null until it was read once. */
    private volatile Map<String, ContainerRecord> live;

    /** For the container, which injects. */
    public ContainerBackend() {}

    ContainerBackend(Host host, ContainerEngines engines, ContainerLedger ledger, Clock clock) {
        this.host = host;
        this.engines = engines;
        this.ledger = ledger;
        this.clock = clock;
    }

    /** The engine's kind and version. @throws BerthException UNAVAILABLE when it does not answer */
    public String version() {
        return engines.selected().version();
    }

    /** The recorded container of an attempt that was not proven absent. */
    public Optional<ContainerRecord> find(String attemptKey) {
        return Optional.ofNullable(live().get(attemptKey));
    }

    private Map<String, ContainerRecord> live() {
        Map<String, ContainerRecord> known = live;
        if (known == null) {
            synchronized (this) {
                if (live == null) {
                    Map<String, ContainerRecord> read = new ConcurrentHashMap<>();
                    ledger.live(host.hostId()).forEach(record -> read.put(record.attemptKey(), record));
                    live = read;
                }
                known = live;
            }
        }
        return known;
    }

    private ContainerRecord save(ContainerRecord record) {
        ContainerRecord saved = ledger.save(record);
        if (saved.phase() == Phase.REMOVED) {
            live().remove(saved.attemptKey());
        } else {
            live().put(saved.attemptKey(), saved);
        }
        return saved;
    }

    /** A created container. {@code warnings}: how many the engine had, mostly of limits that it does not enforce. */
    public record Made(ContainerRecord record, int warnings) {}

    /**
     * Records the intent and creates the container, or finds the one that a lost answer left under its name.
     *
     * @param scratch a private directory of the attempt that the container does not see
     * @throws BerthException UNAVAILABLE, NOT_FOUND for the image, CONFLICT for a name of somebody else's or what the
     *     engine refused
     */
    public Made create(Attempt attempt, ContainerPlan plan, Path scratch) {
        ContainerEngine engine = engines.selected();
        ContainerRecord intent = save(new ContainerRecord(
                attempt.attemptId(),
                attempt.attemptKey(),
                attempt.hostId(),
                engine.name(),
                plan.name(),
                null,
                null,
                plan.labels(),
                Phase.INTENDED,
                plan.settings().init(),
                false,
                clock.instant(),
                null));
        Optional<ContainerEngine.Created> made;
        try {
            made = engine.create(plan, scratch);
        } catch (BerthException lost) {
            Optional<ContainerState> left = existing(engine, intent, lost);
            return new Made(adopt(intent, left.orElseThrow(() -> lost)), 0);
        }
        String key = made.map(ContainerEngine.Created::id).orElse(plan.name());
        ContainerState state = engine.find(key)
                .orElseThrow(() -> BerthException.unavailable("the container was gone as soon as it was created"));
        return new Made(
                adopt(intent, state),
                made.map(ContainerEngine.Created::warnings).orElse(0));
    }

    /** After a failed create; a refusal stays one when there is nothing. */
    private static Optional<ContainerState> existing(
            ContainerEngine engine, ContainerRecord intent, BerthException lost) {
        try {
            return engine.find(intent.name());
        } catch (BerthException e) {
            lost.addSuppressed(e);
            return Optional.empty();
        }
    }

    private ContainerRecord adopt(ContainerRecord intent, ContainerState state) {
        if (!intent.isLabelled(state) || !state.neverStarted()) {
            throw BerthException.conflict("the container name " + intent.name()
                    + " is used by another container on this host's engine; remove that one");
        }
        return save(intent.created(state));
    }

    /** The supervised child of the attempt: the engine's client, joined to the container's streams. */
    public SpawnOrder client(ContainerRecord record, ContainerPlan plan, SpawnOrder launch) {
        List<String> argv = new ArrayList<>(List.of("start", "--attach"));
        if (plan.stdin()) {
            argv.add("--interactive");
        }
        argv.add("--detach-keys=" + NO_KEYS);
        argv.add(record.containerId());
        return new SpawnOrder(
                launch.attemptKey(),
                launch.nonce(),
                engines.executable(),
                argv,
                engines.environment(),
                "/",
                launch.terminal(),
                plan.inputFromFile() ? null : launch.stdin(),
                plan.inputFromFile(),
                Capability.PROCESS_GROUP,
                launch.drainMillis(),
                launch.retainMillis(),
                launch.log(),
                null,
                launch.generation(),
                launch.buffer());
    }

    /**
     * What is there under the recorded identity; notes the start when it is seen first.
     *
     * @return empty when the engine has no container of that id, or of that name while no id is known
     * @throws BerthException UNAVAILABLE; CONFLICT when another container answers
     */
    public Optional<ContainerState> observe(ContainerRecord record) {
        String key = record.containerId() == null ? record.name() : record.containerId();
        Optional<ContainerState> seen = engines.of(record).find(key);
        if (seen.isPresent()) {
            boolean same = record.containerId() == null ? record.isLabelled(seen.get()) : record.isSame(seen.get());
            if (!same) {
                throw BerthException.conflict("another container than the attempt's answers under " + key);
            }
            if (record.startedAt() == null && seen.get().startedAt() != null) {
                save(record.started(seen.get().startedAt()));
            }
        }
        return seen;
    }

    /** What a container came to after its client ended. {@code killed}: this call ended it, since nobody was joined to it. */
    public record Settled(Exit exit, boolean killed) {}

    /**
     * The container's own end, after its client is gone. One that still runs has lost its streams and its supervisor: it
     * is killed, and seen ended, before anything is answered. One that was never started is removed, so that it never
     * can be.
     *
     * @param finished whether the client ended by itself, which it does after the container
     * @throws BerthException UNAVAILABLE while the end is not proven
     */
    public Settled settle(ContainerRecord record, boolean finished) {
        ContainerEngine engine = engines.of(record);
        Optional<ContainerState> state = awaited(record, finished ? LAG_MILLIS : 0);
        if (state.isEmpty()) {
            return new Settled(new Exit.Unknown("the engine no longer has the container"), false);
        }
        if (state.get().neverStarted()) {
            engine.remove(state.get().id());
            return new Settled(new Exit.Unknown("the program in the container was never started"), false);
        }
        if (state.get().ended()) {
            return new Settled(exit(record, state.get()), false);
        }
        ContainerRecord killed = killed(record);
        engine.kill(state.get().id());
        Optional<ContainerState> after = awaited(killed, KILL_MILLIS);
        if (after.isEmpty()) {
            return new Settled(new Exit.Unknown("the engine no longer has the container"), true);
        }
        if (!after.get().ended()) {
            throw BerthException.unavailable("the container outlives its kill; the engine is asked again");
        }
        return new Settled(exit(killed, after.get()), true);
    }

    private static Exit exit(ContainerRecord record, ContainerState state) {
        return ContainerExit.of(state, record.init(), record.killOrdered());
    }

    /** Looks until it no longer runs, at most {@code millis}. */
    private Optional<ContainerState> awaited(ContainerRecord record, long millis) {
        long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
        Optional<ContainerState> state = observe(record);
        while (state.isPresent()
                && !state.get().ended()
                && !state.get().neverStarted()
                && System.nanoTime() < deadline) {
            LockSupport.parkNanos(LOOK_NANOS);
            state = observe(record);
        }
        return state;
    }

    private ContainerRecord killed(ContainerRecord record) {
        ContainerRecord now = live().getOrDefault(record.attemptKey(), record);
        return now.killOrdered() ? now : save(now.killed());
    }

    /** TERM, and KILL after the grace, both by the engine. Returns when it ended. */
    public void stop(ContainerRecord record, String id, int graceMillis) {
        killed(record);
        engines.of(record).stop(id, graceMillis);
    }

    /** KILL. */
    public void kill(ContainerRecord record, String id) {
        killed(record);
        engines.of(record).kill(id);
    }

    /**
     * Removes the container and proves its absence: the engine has none of that id, and a complete listing by label does
     * not hold it.
     *
     * @return the proof, a sentence
     * @throws BerthException UNAVAILABLE; CONFLICT while it runs or another answers
     */
    public String remove(ContainerRecord record) {
        ContainerEngine engine = engines.of(record);
        Optional<ContainerState> state = observe(record);
        if (state.isPresent()) {
            boolean over = state.get().ended() || state.get().neverStarted();
            if (!over) {
                throw BerthException.conflict("the container still runs; stop the attempt and clean up again");
            }
            engine.remove(state.get().id());
        }
        String key = state.map(ContainerState::id)
                .orElse(record.containerId() == null ? record.name() : record.containerId());
        boolean answers = engine.find(key).isPresent();
        boolean listed =
                !engine.labelled(ContainerLabels.KEY, record.attemptKey()).isEmpty();
        if (answers || listed) {
            throw BerthException.conflict(
                    "the engine still has a container of the attempt; remove it there and clean up again");
        }
        save(live().getOrDefault(record.attemptKey(), record).removed());
        return "the engine has no container " + key + ", neither by its id nor in a complete listing";
    }
}
