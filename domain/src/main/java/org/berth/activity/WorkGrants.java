package org.berth.activity;

import java.util.List;

/** The issue of a seat's work credential for the MCP listener. */
public interface WorkGrants {
    /** A new token under {@code name}; an earlier grant of that name is revoked. Its own transaction. */
    ActivityGrants.Issued issue(String name, String seat, List<String> rigs, String issuedBy);

    /** Effective on the next call. Revoking again is the same. Its own transaction. */
    void revoke(String name, String reason);
}
