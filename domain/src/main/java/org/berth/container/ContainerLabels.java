package org.berth.container;

import java.util.LinkedHashMap;
import java.util.Map;
import org.berth.placement.Attempt;

/** The six labels that say whose a container is. Source: placement.md, Container backend. */
public final class ContainerLabels {
    /** The attempt's key, by which a listing finds the container: {@value}. */
    public static final String KEY = "org.berth.attempt-key";

    private ContainerLabels() {}

    /** The labels of {@code attempt}'s container, in a fixed order. */
    public static Map<String, String> of(Attempt attempt) {
        Map<String, String> labels = new LinkedHashMap<>();
        labels.put("org.berth.attempt", attempt.attemptId());
        labels.put(KEY, attempt.attemptKey());
        labels.put("org.berth.owner", attempt.ownerId());
        labels.put("org.berth.host", attempt.hostId());
        labels.put("org.berth.action", attempt.actionId());
        labels.put("org.berth.request", attempt.requestDigest());
        return labels;
    }

    /** The only name that the attempt's container ever has. */
    public static String name(String attemptKey) {
        return "berth-" + attemptKey;
    }
}
