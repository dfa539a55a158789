package org.berth.access;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/**
 * What a caller may do: an OPERATOR administers the host, an OWNER runs attempts of its own, a SEAT works in the queue
 * and with its environment under the one seat that its token names.
 */
public enum Role {
    OPERATOR,
    OWNER,
    SEAT;

    /** The name for {@code @RolesAllowed}: {@value}. */
    public static final String OPERATOR_NAME = "operator";

    /** The name for {@code @RolesAllowed}: {@value}. */
    public static final String OWNER_NAME = "owner";

    /** The lower-case name, as in security roles, on the wire and in the store. */
    public String wire() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The role whose wire name is exactly {@code name}. */
    public static Optional<Role> parse(String name) {
        return Arrays.stream(values()).filter(role -> role.wire().equals(name)).findFirst();
    }
}
