package org.berth.process.adapter;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.Supplier;
import org.berth.placement.Capability;
import org.berth.placement.ExecutableMeasurement;
import org.berth.placement.FenceOutcome;
import org.berth.placement.HostMeasurement;
import org.berth.placement.InputOutcome;
import org.berth.placement.OutputRecipient;
import org.berth.placement.ProcessIdentity;
import org.berth.placement.Processes;
import org.berth.placement.RunnerStatus;
import org.berth.placement.ScopeObservation;
import org.berth.placement.SpawnOrder;
import org.berth.placement.SpawnOutcome;
import org.berth.placement.StopMode;
import org.berth.placement.StopOutcome;
import org.berth.placement.TerminalSize;
import org.berth.problem.BerthException;
import org.berth.process.adapter.AdapterStatistics.Counter;
import org.berth.process.protocol.Frame;
import org.berth.process.protocol.Frame.Order;
import org.berth.process.protocol.Frame.Reply;

/** Sends every order to the supervisor that has its attempt, and counts. */
final class RoutedProcesses implements Processes {
    private final SupervisorSet set;
    private final EventDelivery delivery;
    private final AdapterStatistics statistics;

    RoutedProcesses(SupervisorSet set, EventDelivery delivery, AdapterStatistics statistics) {
        this.set = set;
        this.delivery = delivery;
        this.statistics = statistics;
    }

    /** A missing connection is a failed stage, never a thrown exception. */
    private static <T> CompletionStage<T> stage(Supplier<CompletionStage<T>> call) {
        try {
            return call.get();
        } catch (BerthException e) {
            return CompletableFuture.failedStage(e);
        }
    }

    /** An order that changes something at the attempt's supervisor. */
    private <R extends Reply, T> CompletionStage<T> change(
            String attemptKey, Order order, Class<R> reply, Function<R, T> outcome) {
        return stage(() -> set.clientFor(attemptKey).ask(order, reply, true).thenApply(outcome));
    }

    /** A question to the attempt's supervisor. */
    private <R extends Reply, T> CompletionStage<T> query(
            String attemptKey, Order order, Class<R> reply, Function<R, T> outcome) {
        return stage(() -> set.clientFor(attemptKey).ask(order, reply, false).thenApply(outcome));
    }

    @Override
    public CompletionStage<SpawnOutcome> spawn(SpawnOrder order) {
        return stage(() -> SupervisorSet.connected(set.claim(order.attemptKey()))
                .ask(new Frame.Spawn(order), Frame.SpawnReply.class, true)
                .thenApply(reply -> counted(order, reply.outcome())));
    }

    private SpawnOutcome counted(SpawnOrder order, SpawnOutcome outcome) {
        switch (outcome) {
            case SpawnOutcome.Spawned spawned -> statistics.add(Counter.LAUNCHES);
            case SpawnOutcome.Refused refused -> {
                statistics.add(Counter.REFUSED);
                set.forget(order.attemptKey());
            }
            case SpawnOutcome.Undecided undecided -> {
                // The route stays: only this supervisor can tell later.
            }
        }
        return outcome;
    }

    @Override
    public CompletionStage<StopOutcome> stop(
            String attemptKey, String nonce, StopMode mode, int graceMillis, ProcessIdentity identity) {
        Order order = new Frame.Stop(attemptKey, nonce, mode, graceMillis, identity);
        return change(attemptKey, order, Frame.StopReply.class, reply -> {
            if (reply.outcome() == StopOutcome.ACCEPTED) {
                statistics.add(Counter.STOPS);
            }
            return reply.outcome();
        });
    }

    @Override
    public CompletionStage<FenceOutcome> fence(String attemptKey, String nonce, long generation) {
        return change(
                attemptKey,
                new Frame.Fence(attemptKey, nonce, generation),
                Frame.FenceReply.class,
                Frame.FenceReply::outcome);
    }

    @Override
    public CompletionStage<FenceOutcome> receive(
            String attemptKey, String nonce, long generation, OutputRecipient recipient) {
        return stage(() -> set.clientFor(attemptKey)
                .receive(attemptKey, nonce, generation, recipient)
                .thenApply(Frame.FenceReply::outcome));
    }

    @Override
    public void release(String attemptKey, OutputRecipient recipient) {
        SupervisorClient client = set.connectedFor(attemptKey);
        if (client != null) {
            client.release(attemptKey, recipient);
        }
    }

    @Override
    public void acknowledge(String attemptKey, String nonce, long generation, long consumedThrough) {
        SupervisorClient client = set.connectedFor(attemptKey);
        if (client != null) {
            client.tell(new Frame.Acknowledge(attemptKey, nonce, generation, consumedThrough));
        }
    }

    @Override
    public CompletionStage<InputOutcome> write(
            String attemptKey, String nonce, long generation, String writeId, byte[] data) {
        Order order = new Frame.Write(attemptKey, nonce, generation, writeId, data);
        return change(attemptKey, order, Frame.InputReply.class, reply -> {
            if (reply.outcome().accepted()) {
                statistics.add(Counter.INPUT_BYTES, data.length);
            }
            return reply.outcome();
        });
    }

    @Override
    public CompletionStage<Boolean> wrote(String attemptKey, String nonce, String writeId) {
        return query(
                attemptKey,
                new Frame.Wrote(attemptKey, nonce, writeId),
                Frame.WroteReply.class,
                Frame.WroteReply::accepted);
    }

    @Override
    public CompletionStage<InputOutcome> closeStdin(String attemptKey, String nonce) {
        return change(
                attemptKey, new Frame.CloseStdin(attemptKey, nonce), Frame.InputReply.class, Frame.InputReply::outcome);
    }

    @Override
    public CompletionStage<InputOutcome> resize(String attemptKey, String nonce, long generation, TerminalSize size) {
        return change(
                attemptKey,
                new Frame.Resize(attemptKey, nonce, generation, size),
                Frame.InputReply.class,
                Frame.InputReply::outcome);
    }

    @Override
    public CompletionStage<RunnerStatus> status(String attemptKey, String nonce, ProcessIdentity identity) {
        return query(
                attemptKey,
                new Frame.QueryStatus(attemptKey, nonce, identity),
                Frame.StatusReply.class,
                Frame.StatusReply::status);
    }

    @Override
    public CompletionStage<List<RunnerStatus>> list() {
        return stage(() -> {
            CompletionStage<List<RunnerStatus>> all = CompletableFuture.completedStage(List.of());
            for (SupervisorClient client : set.all()) {
                all = all.thenCombine(
                        client.ask(new Frame.QueryAll(), Frame.AllReply.class, false),
                        (known, more) -> java.util.stream.Stream.concat(known.stream(), more.statuses().stream())
                                .toList());
            }
            return all;
        });
    }

    @Override
    public CompletionStage<ScopeObservation> observeScope(
            String attemptKey, Capability scope, ProcessIdentity identity) {
        return query(
                attemptKey,
                new Frame.QueryScope(attemptKey, scope, identity),
                Frame.ScopeReply.class,
                Frame.ScopeReply::observation);
    }

    @Override
    public CompletionStage<Void> forget(String attemptKey, String nonce) {
        return change(attemptKey, new Frame.Forget(attemptKey, nonce), Frame.Done.class, done -> {
            set.forget(attemptKey);
            delivery.forget(attemptKey);
            return null;
        });
    }

    @Override
    public CompletionStage<ExecutableMeasurement> measure(String path) {
        return stage(() -> set.ownClient()
                .ask(new Frame.Measure(path), Frame.MeasureReply.class, false)
                .thenApply(Frame.MeasureReply::measurement));
    }

    @Override
    public CompletionStage<HostMeasurement> probe() {
        return stage(() -> set.ownClient()
                .ask(new Frame.Probe(), Frame.ProbeReply.class, false)
                .thenApply(Frame.ProbeReply::measurement));
    }

    @Override
    public List<SupervisorInfo> supervisors() {
        return set.connectedSlots()
                .map(slot -> info(slot, slot.client))
                .filter(java.util.Objects::nonNull)
                .toList();
    }

    private SupervisorInfo info(SupervisorSlot slot, SupervisorClient client) {
        if (client == null) {
            return null;
        }
        Frame.Welcome welcome = client.welcome();
        return new SupervisorInfo(
                welcome.incarnation(), welcome.pid(), welcome.build(), welcome.startedAt(), set.attempts(slot));
    }
}
