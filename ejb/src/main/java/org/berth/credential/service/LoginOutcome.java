package org.berth.credential.service;

import java.util.LinkedHashMap;
import java.util.Map;
import org.berth.placement.EvidenceKind;

/**
 * What became of a login after its attempt's exit; no byte of it.
 *
 * @param projection the login's projection
 * @param written whether its source holds the home's bytes now
 * @param reason a fixed phrase: why it was kept, or what is not certain about the writing; null for nothing
 */
public record LoginOutcome(String projection, boolean written, String reason) {
    static LoginOutcome kept(String projection, String reason) {
        return new LoginOutcome(projection, false, reason);
    }

    /** The kind of its evidence row. */
    public EvidenceKind kind() {
        return written ? EvidenceKind.LOGIN_WRITTEN_BACK : EvidenceKind.LOGIN_KEPT;
    }

    /** The detail of its evidence row. */
    public Map<String, Object> detail() {
        Map<String, Object> detail = new LinkedHashMap<>();
        detail.put("projection", projection);
        if (reason != null) {
            detail.put("reason", reason);
        }
        return detail;
    }
}
