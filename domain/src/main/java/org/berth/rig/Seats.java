package org.berth.rig;

/** The parts of a seat's address. */
public final class Seats {
    private Seats() {}

    /** The rig's name in {@code member@rig}. */
    public static String rigOf(String seat) {
        return seat.substring(seat.lastIndexOf('@') + 1);
    }
}
