package org.berth.process.supervisor.run;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.berth.placement.SpawnOrder;
import org.berth.placement.SpawnOutcome;
import org.berth.placement.SpawnOutcome.Reason;
import org.berth.process.supervisor.FaultPoint;
import org.berth.process.supervisor.journal.AttemptImage;
import org.berth.process.supervisor.journal.Entry;
import org.berth.process.supervisor.journal.JournalState;
import org.berth.process.supervisor.os.ProcTable;
import org.berth.process.supervisor.spawn.Child;
import org.berth.process.supervisor.spawn.Launcher;

/** Every attempt that this supervisor knows. Runs on the loop. */
public final class Runners {
    private final Services services;
    private final Function<SpawnOrder, LogSink> logs;
    private final Map<String, Runner> runners = new LinkedHashMap<>();
    private final Map<String, List<Consumer<SpawnOutcome>>> waiting = new HashMap<>();
    private final Set<String> forgotten = new LinkedHashSet<>();
    private boolean retiring;

    /** @param logs opens the log of an order that has one */
    public Runners(Services services, Function<SpawnOrder, LogSink> logs) {
        this.services = services;
        this.logs = logs;
    }

    /** Takes over what an earlier supervisor journalled. */
    public void restore(JournalState state) {
        forgotten.addAll(state.forgotten());
        for (AttemptImage image : state.attempts()) {
            runners.put(image.attemptKey(), new Adoption(services, image).restore());
        }
    }

    public Runner find(String attemptKey) {
        return runners.get(attemptKey);
    }

    /** The attempt, when {@code nonce} is its own; else null. */
    public Runner find(String attemptKey, String nonce) {
        Runner runner = runners.get(attemptKey);
        return runner != null && runner.ownedBy(nonce) ? runner : null;
    }

    public Collection<Runner> all() {
        return List.copyOf(runners.values());
    }

    public boolean wasForgotten(String attemptKey) {
        return forgotten.contains(attemptKey);
    }

    public boolean isEmpty() {
        return runners.isEmpty();
    }

    /** Refuses new spawns from now on. */
    public void retire() {
        retiring = true;
    }

    public boolean retiring() {
        return retiring;
    }

    /** Starts one child, or answers what the same order came to before. */
    public void spawn(SpawnOrder order, Consumer<SpawnOutcome> reply) {
        String key = order.attemptKey();
        Runner known = runners.get(key);
        if (known != null && !known.ownedBy(order.nonce())) {
            reply.accept(new SpawnOutcome.Refused(Reason.NONCE_MISMATCH, "the attempt belongs to another order"));
        } else if (known != null && known.outcome() != null) {
            reply.accept(known.outcome());
        } else if (known != null) {
            waiting.get(key).add(reply);
        } else if (forgotten.contains(key)) {
            reply.accept(new SpawnOutcome.Refused(Reason.FORGOTTEN, "the attempt ended and was forgotten"));
        } else if (retiring) {
            reply.accept(new SpawnOutcome.Refused(Reason.RETIRING, "this supervisor takes no new attempts"));
        } else {
            Runner runner = Runner.spawning(services, order);
            runners.put(key, runner);
            waiting.put(key, new ArrayList<>(List.of(reply)));
            services.spawner().execute(() -> prepare(order, runner));
        }
    }

    private void prepare(SpawnOrder order, Runner runner) {
        Launcher.Preparation preparation = guarded(() -> services.launcher().prepare(order));
        services.loop().post(() -> {
            switch (preparation) {
                case Launcher.Preparation.Refusal(SpawnOutcome.Refused refused) -> refuse(runner, refused);
                case Launcher.Preparation.Ready(Launcher.Plan plan) -> journal(order, runner, plan);
            }
        });
    }

    private static Launcher.Preparation guarded(Supplier<Launcher.Preparation> step) {
        try {
            return step.get();
        } catch (RuntimeException e) {
            return new Launcher.Preparation.Refusal(
                    new SpawnOutcome.Refused(Reason.SYSTEM, "the start could not be prepared"));
        }
    }

    private void journal(SpawnOrder order, Runner runner, Launcher.Plan plan) {
        FaultPoint.BEFORE_SPAWNING_JOURNALLED.pass();
        AttemptImage image = AttemptImage.spawning(
                order.attemptKey(), order.nonce(), order.scope(), ProcTable.bootId(), order.generation());
        services.journal().appendIfSpace(new Entry.Spawning(image), written -> {
            if (written) {
                FaultPoint.AFTER_SPAWNING_JOURNALLED.pass();
                services.spawner().execute(() -> start(order, runner, plan));
            } else {
                services.spawner().execute(() -> services.launcher().drop(plan));
                refuse(runner, new SpawnOutcome.Refused(Reason.NO_SPACE, "the state directory's disk is full"));
            }
        });
    }

    private void start(SpawnOrder order, Runner runner, Launcher.Plan plan) {
        Launcher.Start start;
        try {
            start = services.launcher().start(plan);
        } catch (RuntimeException e) {
            services.loop().post(() -> undecided(runner));
            throw e;
        }
        services.loop().post(() -> {
            switch (start) {
                case Launcher.Start.Refusal(SpawnOutcome.Refused refused) -> {
                    services.journal().append(new Entry.NotSpawned(order.attemptKey()));
                    refuse(runner, refused);
                }
                case Launcher.Start.Started(Child child) ->
                    runner.started(order, child, order.log() == null ? null : logs.apply(order), () -> answer(runner));
            }
        });
    }

    private void undecided(Runner runner) {
        services.journal().append(new Entry.Undecided(runner.attemptKey()));
        runner.undecided("the start broke off; whether a child exists is not known");
        answer(runner);
    }

    private void refuse(Runner runner, SpawnOutcome.Refused refused) {
        runners.remove(runner.attemptKey());
        waiting.remove(runner.attemptKey()).forEach(reply -> reply.accept(refused));
    }

    private void answer(Runner runner) {
        waiting.remove(runner.attemptKey()).forEach(reply -> reply.accept(runner.outcome()));
    }

    /**
     * Drops an ended attempt.
     *
     * @param durable runs once the journal says so
     * @return false when it has not ended
     */
    public boolean forget(Runner runner, Runnable durable) {
        if (!runner.ended()) {
            return false;
        }
        runner.close();
        runners.remove(runner.attemptKey());
        forgotten.add(runner.attemptKey());
        while (forgotten.size() > JournalState.MAX_FORGOTTEN) {
            forgotten.remove(forgotten.iterator().next());
        }
        services.journal().append(new Entry.Forgotten(runner.attemptKey()), durable);
        return true;
    }
}
