package org.berth.work;

/**
 * Who acts on work or an environment.
 *
 * @param session the seat, {@code member@rig}
 * @param provenance {@value #DECLARED} when a header named the seat, {@value #PRINCIPAL} when a credential proved it
 * @param principal JSON {@code {"source","id"}} of the credential; null when declared
 */
public record Actor(String session, String provenance, String principal) {
    public static final String DECLARED = "transport:v1";
    public static final String PRINCIPAL = "principal:v1";
}
