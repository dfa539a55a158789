package org.berth.environment.local;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import org.berth.environment.GuestChannels;
import org.berth.environment.driver.GuestReplies;
import org.berth.placement.CanonicalJson;
import org.berth.problem.BerthException;
import org.berth.problem.ProblemCode;

/** Requests to the resident helper of one environment. Source: the helper's package {@code serve}. */
final class GuestLine {
    private static final int CALL_MILLIS = 20_000;

    private final GuestChannels channels;
    private final String channelId;

    GuestLine(GuestChannels channels, String channelId) {
        this.channels = channels;
        this.channelId = channelId;
    }

    /**
     * One request and its reply, which is {@code ok}.
     *
     * @param data what goes with it; null for nothing
     * @throws BerthException the guest's refusal, environment_guest_unconfirmed when no reply came
     */
    Map<String, Object> call(List<String> arguments, byte[] data) {
        return reply(send(arguments, data));
    }

    /** Sends one request; the helper answers requests in their order. Its reply comes by {@link #reply}. */
    CompletionStage<byte[]> send(List<String> arguments, byte[] data) {
        Map<String, Object> request = new LinkedHashMap<>();
        request.put("args", arguments);
        if (data != null) {
            request.put("data", Base64.getEncoder().encodeToString(data));
        }
        return channels.call(channelId, CanonicalJson.write(request).getBytes(StandardCharsets.UTF_8), CALL_MILLIS);
    }

    /** Waits for the reply of a {@link #send}, as {@link #call} does. */
    static Map<String, Object> reply(CompletionStage<byte[]> sent) {
        byte[] answer;
        try {
            answer = Answers.of(sent);
        } catch (BerthException e) {
            throw new BerthException(
                    ProblemCode.ENVIRONMENT_GUEST_UNCONFIRMED, "The environment's helper did not answer.", e);
        }
        return GuestReplies.done(answer);
    }

    Map<String, Object> call(String... arguments) {
        return call(List.of(arguments), null);
    }
}
