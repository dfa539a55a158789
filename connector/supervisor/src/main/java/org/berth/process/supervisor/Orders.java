package org.berth.process.supervisor;

import java.time.Instant;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.berth.placement.FenceOutcome;
import org.berth.placement.HostMeasurement;
import org.berth.placement.InputOutcome;
import org.berth.placement.ProcessEvent;
import org.berth.placement.StopMode;
import org.berth.placement.StopOutcome;
import org.berth.problem.BerthException;
import org.berth.problem.ProblemCode;
import org.berth.process.protocol.Frame;
import org.berth.process.protocol.FrameCodec;
import org.berth.process.supervisor.channel.Channels;
import org.berth.process.supervisor.command.Commands;
import org.berth.process.supervisor.run.Runner;
import org.berth.process.supervisor.run.Runners;
import org.berth.process.supervisor.run.Services;

/** Carries out what connections order. Runs on the loop. */
final class Orders implements Connection.Listener {
    private final Services services;
    private final Runners runners;
    private final Observations observations;
    private final Commands commands;
    private final Channels channels;
    private final Frame.Welcome welcome;
    private final Supplier<HostMeasurement> probe;
    private final Runnable end;
    private final Set<Connection> connections = new LinkedHashSet<>();

    /**
     * @param probe measures the host; called on the spawner's thread, once
     * @param end closes the supervisor down
     */
    Orders(
            Services services,
            Runners runners,
            Commands commands,
            Channels channels,
            String incarnation,
            String build,
            Supplier<HostMeasurement> probe,
            Runnable end) {
        this.services = services;
        this.runners = runners;
        this.commands = commands;
        this.channels = channels;
        this.observations = new Observations(services);
        this.probe = probe;
        this.end = end;
        welcome = new Frame.Welcome(
                FrameCodec.VERSION, incarnation, ProcessHandle.current().pid(), build, Instant.now(services.clock()));
    }

    void connected(Connection connection) {
        connections.add(connection);
    }

    void publish(ProcessEvent event) {
        for (Connection connection : connections) {
            if (connection.subscribed) {
                connection.send(new Frame.Event(event));
            }
        }
    }

    boolean idle() {
        return connections.stream().allMatch(Connection::idle);
    }

    @Override
    public void drained(Connection connection) {
        runners.all().forEach(runner -> runner.deliver(connection));
    }

    @Override
    public void closed(Connection connection) {
        connections.remove(connection);
        runners.all().forEach(runner -> runner.release(connection));
    }

    @Override
    public void frame(Connection from, long correlation, Frame frame) {
        if (!(frame instanceof Frame.Order order) || from.greeted == order instanceof Frame.Hello) {
            from.close();
            return;
        }
        try {
            carryOut(from, correlation, order);
        } catch (BerthException e) {
            from.reply(correlation, new Frame.Failed(e.code().name(), e.getMessage()));
        } catch (RuntimeException e) {
            from.reply(
                    correlation, new Frame.Failed(ProblemCode.INTERNAL.name(), "the supervisor failed on the order"));
            throw e;
        }
    }

    private void carryOut(Connection from, long correlation, Frame.Order order) {
        switch (order) {
            case Frame.Hello hello -> greet(from, correlation, hello);
            case Frame.Spawn spawn ->
                runners.spawn(spawn.order(), outcome -> from.reply(correlation, new Frame.SpawnReply(outcome)));
            case Frame.Stop stop -> stop(from, correlation, stop);
            case Frame.Fence fence -> fence(from, correlation, fence);
            case Frame.Receive receive -> receive(from, correlation, receive);
            case Frame.Release release -> {
                Runner runner = runners.find(release.attemptKey());
                if (runner != null) {
                    runner.release(from);
                }
            }
            case Frame.Acknowledge ack ->
                with(
                        ack.attemptKey(),
                        ack.nonce(),
                        (runner, _) -> runner.acknowledge(ack.generation(), ack.consumedThrough()));
            case Frame.Write write -> {
                Runner runner = runners.find(write.attemptKey(), write.nonce());
                if (runner == null) {
                    from.reply(correlation, unknownInput());
                } else {
                    runner.write(write, outcome -> from.reply(correlation, new Frame.InputReply(outcome)));
                }
            }
            case Frame.Wrote wrote -> {
                Runner runner = runners.find(wrote.attemptKey(), wrote.nonce());
                from.reply(correlation, new Frame.WroteReply(runner != null && runner.wrote(wrote.writeId())));
            }
            case Frame.CloseStdin close -> {
                Runner runner = runners.find(close.attemptKey(), close.nonce());
                from.reply(correlation, runner == null ? unknownInput() : new Frame.InputReply(runner.closeStdin()));
            }
            case Frame.Resize resize -> {
                Runner runner = runners.find(resize.attemptKey(), resize.nonce());
                from.reply(
                        correlation,
                        runner == null
                                ? unknownInput()
                                : new Frame.InputReply(runner.resize(resize.generation(), resize.size())));
            }
            case Frame.QueryStatus query -> status(from, correlation, query);
            case Frame.QueryAll _ ->
                from.reply(
                        correlation,
                        new Frame.AllReply(
                                runners.all().stream().map(Runner::status).toList()));
            case Frame.QueryScope query -> {
                Runner runner = runners.find(query.attemptKey());
                observations.scope(
                        query.scope(),
                        query.identity() == null && runner != null ? runner.identity() : query.identity(),
                        observation -> from.reply(correlation, new Frame.ScopeReply(observation)));
            }
            case Frame.Forget forget -> forget(from, correlation, forget);
            case Frame.Measure measure -> measure(from, correlation, measure);
            case Frame.Probe _ ->
                services.spawner().execute(() -> {
                    HostMeasurement measurement = probe.get();
                    services.loop().post(() -> from.reply(correlation, new Frame.ProbeReply(measurement)));
                });
            case Frame.Subscribe _ -> {
                from.subscribed = true;
                from.reply(correlation, new Frame.Done());
                runners.all()
                        .forEach(runner -> runner.unrecorded().forEach(event -> from.send(new Frame.Event(event))));
            }
            case Frame.Recorded recorded -> {
                Runner runner = runners.find(recorded.attemptKey());
                if (runner != null) {
                    runner.recorded(recorded.sequence());
                }
            }
            case Frame.Retire _ -> {
                runners.retire();
                from.reply(correlation, new Frame.Done());
                endWhenEmpty();
            }
            case Frame.Shutdown shutdown -> shutdown(from, correlation, shutdown.kill());
            case Frame.OpenChannel open ->
                channels.open(open.order(), answer(from, correlation, _ -> new Frame.Done()));
            case Frame.CallChannel call ->
                channels.call(
                        call.channelId(),
                        call.request(),
                        call.timeoutMillis(),
                        answer(from, correlation, Frame.ChannelReply::new));
            case Frame.QueryChannel query ->
                from.reply(correlation, new Frame.ChannelStatusReply(channels.status(query.channelId())));
            case Frame.QueryChannels _ -> from.reply(correlation, new Frame.ChannelsReply(channels.ids()));
            case Frame.CloseChannel close ->
                channels.close(close.channelId(), answer(from, correlation, _ -> {
                    services.loop().defer(this::endWhenEmpty);
                    return new Frame.Done();
                }));
            case Frame.Run run ->
                commands.run(
                        run.order(),
                        outcome -> from.reply(correlation, new Frame.RunReply(outcome)),
                        refusal -> from.reply(
                                correlation, new Frame.Failed(refusal.code().name(), refusal.getMessage())));
        }
    }

    private void with(String attemptKey, String nonce, BiConsumer<Runner, String> action) {
        Runner runner = runners.find(attemptKey, nonce);
        if (runner != null) {
            action.accept(runner, attemptKey);
        }
    }

    private static <T> Channels.Answer<T> answer(Connection from, long correlation, Function<T, Frame.Reply> reply) {
        return new Channels.Answer<>() {
            @Override
            public void done(T result) {
                from.reply(correlation, reply.apply(result));
            }

            @Override
            public void failed(BerthException problem) {
                from.reply(correlation, new Frame.Failed(problem.code().name(), problem.getMessage()));
            }
        };
    }

    private static Frame.InputReply unknownInput() {
        return new Frame.InputReply(new InputOutcome(false, 0, "unknown_attempt"));
    }

    private void greet(Connection from, long correlation, Frame.Hello hello) {
        if (hello.version() != FrameCodec.VERSION) {
            from.reply(
                    correlation,
                    new Frame.Failed(
                            ProblemCode.INVALID.name(),
                            "this supervisor speaks version " + FrameCodec.VERSION + ", not " + hello.version()));
            return;
        }
        from.greeted = true;
        from.reply(correlation, welcome);
    }

    private void stop(Connection from, long correlation, Frame.Stop stop) {
        Runner runner = runners.find(stop.attemptKey());
        if (runner != null && runner.ownedBy(stop.nonce())) {
            runner.stop(
                    stop.mode(), stop.graceMillis(), outcome -> from.reply(correlation, new Frame.StopReply(outcome)));
        } else if (runner == null && stop.identity() != null) {
            observations.stop(
                    stop.identity(),
                    stop.mode(),
                    stop.graceMillis(),
                    outcome -> from.reply(correlation, new Frame.StopReply(outcome)));
        } else {
            from.reply(correlation, new Frame.StopReply(StopOutcome.UNKNOWN_ATTEMPT));
        }
    }

    private void fence(Connection from, long correlation, Frame.Fence fence) {
        Runner runner = runners.find(fence.attemptKey(), fence.nonce());
        if (runner == null) {
            from.reply(correlation, new Frame.FenceReply(new FenceOutcome(false, 0, false, false)));
        } else {
            runner.fence(fence.generation(), outcome -> from.reply(correlation, new Frame.FenceReply(outcome)));
        }
    }

    private void receive(Connection from, long correlation, Frame.Receive receive) {
        Runner runner = runners.find(receive.attemptKey(), receive.nonce());
        FenceOutcome outcome =
                runner == null ? new FenceOutcome(false, 0, false, false) : runner.mayReceive(receive.generation());
        from.reply(correlation, new Frame.FenceReply(outcome));
        if (outcome.accepted()) {
            runner.receive(from);
        }
    }

    private void status(Connection from, long correlation, Frame.QueryStatus query) {
        Runner runner = runners.find(query.attemptKey());
        if (runner == null) {
            observations.status(
                    query.attemptKey(),
                    query.nonce(),
                    query.identity(),
                    runners.wasForgotten(query.attemptKey()),
                    status -> from.reply(correlation, new Frame.StatusReply(status)));
        } else if (runner.ownedBy(query.nonce())) {
            from.reply(correlation, new Frame.StatusReply(runner.status()));
        } else {
            throw BerthException.conflict("the attempt belongs to another order");
        }
    }

    private void forget(Connection from, long correlation, Frame.Forget forget) {
        Runner runner = runners.find(forget.attemptKey());
        Runnable done = () -> {
            from.reply(correlation, new Frame.Done());
            endWhenEmpty();
        };
        if (runner == null) {
            done.run();
        } else if (!runner.ownedBy(forget.nonce())) {
            throw BerthException.conflict("the attempt belongs to another order");
        } else if (!runners.forget(runner, done)) {
            throw BerthException.conflict("the attempt has not ended");
        }
    }

    private void measure(Connection from, long correlation, Frame.Measure measure) {
        services.spawner().execute(() -> {
            Frame.Reply reply;
            try {
                reply = new Frame.MeasureReply(services.launcher().measure(measure.path()));
            } catch (BerthException e) {
                reply = new Frame.Failed(e.code().name(), e.getMessage());
            }
            Frame.Reply answer = reply;
            services.loop().post(() -> from.reply(correlation, answer));
        });
    }

    private void endWhenEmpty() {
        if (runners.retiring() && runners.isEmpty() && channels.isEmpty()) {
            end.run();
        }
    }

    private void shutdown(Connection from, long correlation, boolean kill) {
        runners.retire();
        if (kill) {
            for (Runner runner : runners.all()) {
                if (runner.live()) {
                    runner.stop(StopMode.FORCED, 0, _ -> {});
                }
            }
        }
        awaitEnds(from, correlation, kill);
    }

    private void awaitEnds(Connection from, long correlation, boolean kill) {
        if (kill) {
            for (Runner runner : runners.all()) {
                if (runner.live()) {
                    runner.whenExited(_ -> awaitEnds(from, correlation, true));
                    return;
                }
            }
        }
        from.reply(correlation, new Frame.Done());
        end.run();
    }
}
