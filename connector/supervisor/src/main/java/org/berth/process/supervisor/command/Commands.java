package org.berth.process.supervisor.command;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.berth.environment.CommandOrder;
import org.berth.environment.CommandOutcome;
import org.berth.problem.BerthException;
import org.berth.process.supervisor.run.Services;
import org.berth.process.supervisor.spawn.Child;
import org.berth.process.supervisor.spawn.CommandLauncher;

/** The short commands that run now. Runs on the loop. */
public final class Commands {
    /** Commands at once. Source: an own choice; both streams of all of them fit into the supervisor's heap. */
    static final int MOST_AT_ONCE = 32;

    /** Milliseconds that killed commands get to end. Source: an own choice. */
    private static final int END_MILLIS = 1500;

    private final Services services;
    private final Set<CommandRun> running = new LinkedHashSet<>();
    private int taken;
    private Runnable whenEmpty;
    private boolean left;

    public Commands(Services services) {
        this.services = services;
    }

    /**
     * Runs {@code order}; one of the two is called, on the loop.
     *
     * @throws BerthException INVALID for an order out of its bounds, UNAVAILABLE when too many run
     */
    public void run(CommandOrder order, Consumer<CommandOutcome> ended, Consumer<BerthException> refused) {
        require(order);
        if (whenEmpty != null) {
            throw BerthException.unavailable("the supervisor ends; try again");
        }
        if (taken == MOST_AT_ONCE) {
            throw BerthException.unavailable(MOST_AT_ONCE + " commands run already; try again");
        }
        taken++;
        services.spawner().execute(() -> {
            try {
                Child child = CommandLauncher.start(order);
                services.loop().post(() -> started(order, child, ended));
            } catch (BerthException e) {
                services.loop().post(() -> {
                    taken--;
                    refused.accept(e);
                    over();
                });
            }
        });
    }

    private void started(CommandOrder order, Child child, Consumer<CommandOutcome> ended) {
        CommandRun started = new CommandRun(services, order, child, (run, outcome) -> {
            taken--;
            running.remove(run);
            ended.accept(outcome);
            over();
        });
        running.add(started);
        if (whenEmpty != null) {
            started.kill();
        }
    }

    /** Kills what runs and takes no more; {@code then} runs once nothing is left, or after a while. */
    public void end(Runnable then) {
        if (whenEmpty != null) {
            return;
        }
        whenEmpty = then;
        List.copyOf(running).forEach(CommandRun::kill);
        services.loop().after(END_MILLIS, this::leave);
        over();
    }

    private void over() {
        if (taken == 0 && whenEmpty != null) {
            leave();
        }
    }

    private void leave() {
        if (!left) {
            left = true;
            whenEmpty.run();
        }
    }

    private static void require(CommandOrder order) {
        requireAbsolute("executable", order.executable());
        requireAbsolute("workingDirectory", order.workingDirectory());
        requireRange("timeoutMillis", order.timeoutMillis(), CommandOrder.MOST_MILLIS);
        requireRange("outputBytes", order.outputBytes(), CommandOrder.MOST_OUTPUT_BYTES);
        for (String name : order.environment().keySet()) {
            if (name.isEmpty() || name.indexOf('=') >= 0) {
                throw BerthException.invalid("a variable's name is not empty and holds no '='");
            }
        }
    }

    private static void requireAbsolute(String name, String path) {
        if (path == null || !path.startsWith("/") || path.indexOf('\0') >= 0) {
            throw BerthException.invalid("a command's " + name + " is an absolute path");
        }
    }

    private static void requireRange(String name, int value, int most) {
        if (value < 1 || value > most) {
            throw BerthException.invalid("a command's " + name + " is 1.." + most);
        }
    }
}
