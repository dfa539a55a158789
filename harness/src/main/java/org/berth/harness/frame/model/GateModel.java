package org.berth.harness.frame.model;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The state of the rules: a step function over lines and settlements.
 *
 * @param remembered the latest used ids, the oldest first
 * @param inFlight the ids whose handler has not ended
 * @param faulted whether the kernel is being replaced
 */
public record GateModel(ModelLimits limits, List<String> remembered, Set<String> inFlight, boolean faulted) {
    /** The limits and the served types. */
    public record ModelLimits(long lineBytes, int rememberedIds, Set<String> served) {}

    /** A state and the answer that led to it. */
    public record Step(GateModel next, ModelAnswer answer) {}

    private static final Set<String> OUTPUT = Set.of("stdout", "stderr", "display");

    public GateModel {
        remembered = List.copyOf(remembered);
        inFlight = Set.copyOf(inFlight);
    }

    /** A gate that has seen nothing. */
    public static GateModel fresh(ModelLimits limits) {
        return new GateModel(limits, List.of(), Set.of(), false);
    }

    /** The answer to {@code line}. */
    public Step step(ModelLine line) {
        if (faulted) {
            return new Step(this, new ModelAnswer.PassedOver());
        }
        boolean large = line.byteCount() > limits.lineBytes;
        return switch (line) {
            case ModelLine.Garbage garbage when large -> fault("OVERSIZED");
            case ModelLine.Garbage garbage -> fault(garbage.utf8() ? "NOT_A_FRAME" : "NOT_UTF8");
            case ModelLine.Event event
            when large && OUTPUT.contains(event.name()) -> new Step(this, new ModelAnswer.Drops(event.name()));
            case ModelLine.Event event when large -> fault("OVERSIZED");
            case ModelLine.Event event -> new Step(this, new ModelAnswer.Passes(event.name()));
            case ModelLine.Request request -> request(request, large);
        };
    }

    /** The handler of {@code id} has ended, and its reply is written. */
    public GateModel settled(String id) {
        Set<String> left = new HashSet<>(inFlight);
        left.remove(id);
        return new GateModel(limits, remembered, left, faulted);
    }

    private Step request(ModelLine.Request request, boolean large) {
        String id = request.id();
        if (remembered.contains(id) || inFlight.contains(id)) {
            return new Step(this, new ModelAnswer.Replies(id, "duplicate", "the id of this request is already used"));
        }
        List<String> ids = new ArrayList<>(remembered);
        ids.add(id);
        ids = ids.subList(Math.max(0, ids.size() - limits.rememberedIds), ids.size());
        GateModel refused = new GateModel(limits, ids, inFlight, false);
        if (large) {
            return refused.error(id, "the request is over the limit of " + limits.lineBytes + " bytes");
        }
        if (request.type().isEmpty()) {
            return refused.error(id, "the request names no type");
        }
        String type = request.type().get();
        if (!limits.served.contains(type)) {
            return refused.error(id, "the host serves no request of type " + type);
        }
        Set<String> running = new HashSet<>(inFlight);
        running.add(id);
        return new Step(new GateModel(limits, ids, running, false), new ModelAnswer.Runs(id, type));
    }

    private Step error(String id, String error) {
        return new Step(this, new ModelAnswer.Replies(id, "error", error));
    }

    private Step fault(String reason) {
        return new Step(new GateModel(limits, remembered, inFlight, true), new ModelAnswer.Faults(reason));
    }
}
