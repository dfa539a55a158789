package org.berth.environment;

import java.util.concurrent.CompletionStage;

/** The port to bounded commands of this host; the supervisor runs them. Never called inside a transaction. */
public interface HostCommands {
    /**
     * Runs {@code order}. Fails with {@code UNAVAILABLE} when it was never sent, {@code UNCERTAIN} when its reply was
     * lost, {@code INVALID} when the executable cannot be run.
     */
    CompletionStage<CommandOutcome> run(CommandOrder order);
}
