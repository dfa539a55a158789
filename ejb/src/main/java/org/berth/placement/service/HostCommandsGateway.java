package org.berth.placement.service;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.berth.environment.CommandOrder;
import org.berth.environment.CommandOutcome;
import org.berth.environment.HostCommands;
import org.berth.problem.BerthException;
import org.berth.process.adapter.ProcessConnection;

/** Commands of this host by way of the resource adapter. Not for callers inside a transaction. */
@ApplicationScoped
public class HostCommandsGateway implements HostCommands {
    @Inject
    private ProcessesGateway gateway;

    @Override
    public CompletionStage<CommandOutcome> run(CommandOrder order) {
        try {
            return gateway.connected(
                    (ProcessConnection connection) -> connection.commands().run(order));
        } catch (BerthException e) {
            return CompletableFuture.failedStage(e);
        }
    }
}
