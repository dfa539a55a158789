package org.berth.placement.service;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.berth.environment.ChannelOrder;
import org.berth.environment.ChannelStatus;
import org.berth.environment.GuestChannels;
import org.berth.problem.BerthException;

/** The channels of contained environments by way of the resource adapter. Not for callers inside a transaction. */
@ApplicationScoped
public class GuestChannelsGateway implements GuestChannels {
    @Inject
    private ProcessesGateway gateway;

    private <R> CompletionStage<R> stage(Function<GuestChannels, CompletionStage<R>> order) {
        try {
            return gateway.connected(connection -> order.apply(connection.channels()));
        } catch (BerthException e) {
            return CompletableFuture.failedStage(e);
        }
    }

    @Override
    public CompletionStage<Void> open(ChannelOrder order) {
        return stage(channels -> channels.open(order));
    }

    @Override
    public CompletionStage<byte[]> call(String channelId, byte[] request, int timeoutMillis) {
        return stage(channels -> channels.call(channelId, request, timeoutMillis));
    }

    @Override
    public CompletionStage<ChannelStatus> status(String channelId) {
        return stage(channels -> channels.status(channelId));
    }

    @Override
    public CompletionStage<Void> close(String channelId) {
        return stage(channels -> channels.close(channelId));
    }
}
