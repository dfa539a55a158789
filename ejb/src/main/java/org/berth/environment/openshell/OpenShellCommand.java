package org.berth.environment.openshell;

import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.berth.environment.CommandOrder;
import org.berth.environment.CommandOutcome;
import org.berth.environment.HostCommands;
import org.berth.problem.BerthException;
import org.berth.problem.ProblemCode;

/** Runs {@code openshell}, bounded, and answers what it printed. Source: the reference's driver, its bounds. */
final class OpenShellCommand {
    private static final int TIMEOUT_MILLIS = 30_000;
    private static final int OUTPUT_BYTES = 2 * 1_048_576;

    /** What the answer of the order itself may take over the command's own time. */
    private static final int MARGIN_MILLIS = 5_000;

    private final HostCommands commands;
    private final Supplier<String> executable;
    private final Supplier<Map<String, String>> environment;

    OpenShellCommand(HostCommands commands, Supplier<String> executable, Supplier<Map<String, String>> environment) {
        this.commands = commands;
        this.executable = executable;
        this.environment = environment;
    }

    String executable() {
        return executable.get();
    }

    Map<String, String> environment() {
        return environment.get();
    }

    /** @throws BerthException openshell_transport_unconfirmed unless it ended with 0 within its bounds */
    byte[] run(List<String> argv) {
        return confirmed(outcome(argv));
    }

    /** What a guest command printed, whatever its exit code: the helper's own verdict decides. */
    byte[] exec(List<String> argv) {
        CommandOutcome outcome = outcome(argv);
        return outcome.stdout().length > 0 && !outcome.timedOut() && !outcome.truncated()
                ? outcome.stdout()
                : confirmed(outcome);
    }

    private static byte[] confirmed(CommandOutcome outcome) {
        if (outcome.exitCode() != 0 || outcome.timedOut() || outcome.truncated()) {
            throw unconfirmed(null);
        }
        return outcome.stdout();
    }

    private CommandOutcome outcome(List<String> argv) {
        CommandOrder order =
                new CommandOrder(executable.get(), argv, environment.get(), "/", null, TIMEOUT_MILLIS, OUTPUT_BYTES);
        try {
            return commands.run(order).toCompletableFuture().get(TIMEOUT_MILLIS + MARGIN_MILLIS, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw unconfirmed(e);
        } catch (ExecutionException | CompletionException | TimeoutException e) {
            throw unconfirmed(e);
        }
    }

    private static BerthException unconfirmed(Throwable cause) {
        return new BerthException(
                ProblemCode.OPENSHELL_TRANSPORT_UNCONFIRMED,
                "OpenShell gave no confirmed result; repeat the same operation to reconcile it.",
                cause);
    }
}
