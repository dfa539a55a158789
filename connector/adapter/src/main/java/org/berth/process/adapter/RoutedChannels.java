package org.berth.process.adapter;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.berth.environment.ChannelOrder;
import org.berth.environment.ChannelStatus;
import org.berth.environment.GuestChannels;
import org.berth.problem.BerthException;
import org.berth.process.protocol.Frame;
import org.berth.process.protocol.ProtocolException;

/** Sends every order to the supervisor that has its channel; a new channel goes to the one of our own build. */
final class RoutedChannels implements GuestChannels {
    /** Milliseconds beyond a call's own time until its reply counts as lost. Source: an own choice. */
    private static final int REPLY_MILLIS = 5000;

    private final SupervisorSet set;

    RoutedChannels(SupervisorSet set) {
        this.set = set;
    }

    private static <T> CompletionStage<T> stage(Supplier<CompletionStage<T>> call) {
        try {
            return call.get();
        } catch (ProtocolException e) {
            return CompletableFuture.failedStage(BerthException.invalid("The order is too large to be sent."));
        } catch (BerthException e) {
            return CompletableFuture.failedStage(e);
        }
    }

    @Override
    public CompletionStage<Void> open(ChannelOrder order) {
        return stage(() -> SupervisorSet.connected(set.claimChannel(order.channelId()))
                .ask(new Frame.OpenChannel(order), Frame.Done.class, true)
                .thenApply(done -> null));
    }

    @Override
    public CompletionStage<byte[]> call(String channelId, byte[] request, int timeoutMillis) {
        return stage(() -> set.clientForChannel(channelId)
                .ask(
                        new Frame.CallChannel(channelId, request, timeoutMillis),
                        Frame.ChannelReply.class,
                        true,
                        timeoutMillis + REPLY_MILLIS)
                .thenApply(Frame.ChannelReply::reply));
    }

    @Override
    public CompletionStage<ChannelStatus> status(String channelId) {
        return stage(() -> set.clientForChannel(channelId)
                .ask(new Frame.QueryChannel(channelId), Frame.ChannelStatusReply.class, false)
                .thenApply(Frame.ChannelStatusReply::status));
    }

    @Override
    public CompletionStage<Void> close(String channelId) {
        return stage(() -> set.clientForChannel(channelId)
                .ask(new Frame.CloseChannel(channelId), Frame.Done.class, true)
                .thenApply(done -> {
                    set.forgetChannel(channelId);
                    return null;
                }));
    }
}
