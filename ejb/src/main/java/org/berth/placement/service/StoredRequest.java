package org.berth.placement.service;

import org.berth.json.StrictJson;
import org.berth.placement.Attempt;
import org.berth.placement.PrepareRequest;
import org.berth.placement.PrepareRequestDecoder;
import org.berth.problem.BerthException;
import org.berth.problem.ProblemCode;

/** Reads an intent back: what is stored is decoded and checked again before each use. */
final class StoredRequest {
    private StoredRequest() {}

    /** @throws BerthException STORAGE when the stored text is no request, or not the one that was admitted */
    static PrepareRequest of(Attempt attempt) {
        try {
            PrepareRequest request = PrepareRequestDecoder.decode(StrictJson.object(attempt.requestJson()));
            if (!request.digest().equals(attempt.requestDigest())) {
                throw new BerthException(ProblemCode.STORAGE, "the stored request is not the one that was admitted");
            }
            return request;
        } catch (BerthException e) {
            if (e.code() == ProblemCode.STORAGE) {
                throw e;
            }
            throw new BerthException(ProblemCode.STORAGE, "the stored request cannot be read", e);
        }
    }
}
