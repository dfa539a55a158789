package org.berth.process.adapter;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.berth.environment.CommandOrder;
import org.berth.environment.CommandOutcome;
import org.berth.environment.HostCommands;
import org.berth.problem.BerthException;
import org.berth.process.protocol.Frame;
import org.berth.process.protocol.ProtocolException;

/** Gives every command to the supervisor of our own build. */
final class RoutedCommands implements HostCommands {
    /** Milliseconds beyond the command's own time until its reply counts as lost. Source: an own choice. */
    private static final int REPLY_MILLIS = 10_000;

    private final SupervisorSet set;

    RoutedCommands(SupervisorSet set) {
        this.set = set;
    }

    @Override
    public CompletionStage<CommandOutcome> run(CommandOrder order) {
        try {
            return set.ownClient()
                    .ask(new Frame.Run(order), Frame.RunReply.class, true, order.timeoutMillis() + REPLY_MILLIS)
                    .thenApply(Frame.RunReply::outcome);
        } catch (ProtocolException e) {
            return CompletableFuture.failedStage(BerthException.invalid("The command is too large to be sent."));
        } catch (BerthException e) {
            return CompletableFuture.failedStage(e);
        }
    }
}
