package org.berth.guest.os;

/** The processor's kind, where the kernel's numbers differ by it. */
public final class Machine {
    /** Whether this is aarch64; else it is x86-64. */
    public static final boolean AARCH64 = switch (System.getProperty("os.arch")) {
        case "aarch64" -> true;
        case "amd64", "x86_64" -> false;
        default -> throw new IllegalStateException("neither x86-64 nor aarch64");
    };

    private Machine() {}
}
