package org.berth.activity;

/** The issue of a seat's activity credential. */
public interface ActivityGrants {
    /** A new grant of the seat and generation; an earlier one of the seat is revoked as reissued. Its own transaction. */
    Issued issue(String nodeId, String generation, String issuedBy);

    /** Revoking again is the same. Its own transaction. */
    void revoke(String grantId, String reason);

    /** {@code token} is shown once and never stored. */
    record Issued(String grantId, String token) {
        @Override
        public String toString() {
            return "Issued[" + grantId + "]";
        }
    }
}
