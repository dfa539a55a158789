package org.berth.placement;

import java.util.Locale;
import java.util.Optional;

/** The names of enum constants on the wire: snake_case for states and modes, dotted for evidence kinds. */
public final class Wire {
    private Wire() {}

    /** {@code PROCESS_GROUP} is {@code process_group}. */
    public static String name(Enum<?> constant) {
        return constant instanceof EvidenceKind kind
                ? kind.wire()
                : constant.name().toLowerCase(Locale.ROOT);
    }

    /** The constant whose wire name is exactly {@code name}; empty when there is none. */
    public static <E extends Enum<E>> Optional<E> parse(Class<E> type, String name) {
        for (E constant : type.getEnumConstants()) {
            if (name(constant).equals(name)) {
                return Optional.of(constant);
            }
        }
        return Optional.empty();
    }
}
