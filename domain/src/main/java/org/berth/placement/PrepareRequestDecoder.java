package org.berth.placement;

import java.util.Map;

/** Strict decoding of a launch request, and its inverse. */
public final class PrepareRequestDecoder {
    private PrepareRequestDecoder() {}

    /** @throws org.berth.problem.BerthException INVALID, naming the field */
    public static PrepareRequest decode(Map<String, Object> json) {
        throw new IllegalStateException("in work");
    }

    static Map<String, Object> encode(PrepareRequest request) {
        throw new IllegalStateException("in work");
    }
}
