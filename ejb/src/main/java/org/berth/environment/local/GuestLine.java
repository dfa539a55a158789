package org.berth.environment.local;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
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
        Map<String, Object> request = new LinkedHashMap<>();
        request.put("args", arguments);
        if (data != null) {
            request.put("data", Base64.getEncoder().encodeToString(data));
        }
        byte[] answer;
        try {
            answer = Answers.of(channels.call(
                    channelId, CanonicalJson.write(request).getBytes(StandardCharsets.UTF_8), CALL_MILLIS));
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
