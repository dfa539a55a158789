package org.berth.access;

import java.util.Set;

/**
 * The acting principal of one call.
 *
 * @param ownerId whose attempts and grants are meant
 * @param tokenId the token that proved it; its revocation ends what the caller keeps open
 */
public record Caller(String ownerId, Set<Role> roles, String tokenId) {
    public Caller {
        roles = Set.copyOf(roles);
    }

    public boolean is(Role role) {
        return roles.contains(role);
    }

    /** Whether the caller administers the host. */
    public boolean isOperator() {
        return is(Role.OPERATOR);
    }

    /** An owner acts for itself, an operator for everybody. */
    public boolean mayActFor(String owner) {
        return isOperator() || ownerId.equals(owner);
    }
}
