package org.berth.environment;

import java.util.concurrent.CompletionStage;

/**
 * The port to the supervisor's side of contained environments: the helper's control line, relays and the forward proxy.
 * Stages fail with {@code UNAVAILABLE} when nothing was sent, {@code UNCERTAIN} when a reply was lost. Never called inside
 * a transaction.
 */
public interface GuestChannels {
    /** Opens the channel, or takes over its new order when it is open. */
    CompletionStage<Void> open(ChannelOrder order);

    /**
     * One request of at most 2 MiB to the guest's helper and its one reply.
     *
     * @param request one line of JSON, UTF-8, without the line's end
     * @param timeoutMillis at most 30000
     */
    CompletionStage<byte[]> call(String channelId, byte[] request, int timeoutMillis);

    /** @return null for a channel that is not open */
    CompletionStage<ChannelStatus> status(String channelId);

    /** Closes it and removes its sockets; a channel that is not open is already closed. */
    CompletionStage<Void> close(String channelId);
}
