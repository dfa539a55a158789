package org.berth.access;

import java.util.Set;

/**
 * The acting principal of one call.
 *
 * @param ownerId whose attempts and grants are meant
 * @param tokenId the token that proved it; its revocation ends what the caller keeps open
 * @param seat the one seat, {@code member@rig}, that a token of role SEAT names; null for others
 */
public record Caller(String ownerId, Set<Role> roles, String tokenId, String seat) {
    public Caller {
        roles = Set.copyOf(roles);
    }

    /** A caller without a seat of its own. */
    public Caller(String ownerId, Set<Role> roles, String tokenId) {
        this(ownerId, roles, tokenId, null);
    }

    public boolean is(Role role) {
        return roles.contains(role);
    }

    /** Whether the caller administers the host. */
    public boolean isOperator() {
        return is(Role.OPERATOR);
    }

    /** An owner acts for itself, an operator for everybody, a seat for no owner. */
    public boolean mayActFor(String owner) {
        return isOperator() || is(Role.OWNER) && ownerId.equals(owner);
    }
}
