package org.berth.harness.workspace;

import java.io.IOException;
import java.nio.file.Path;

/** A hand-back in a virtual machine of its own, which a fault point ends. */
final class HandBackMain {
    private HandBackMain() {}

    /** {@code args}: the state root. */
    public static void main(String[] args) throws IOException {
        Family.workspace(Path.of(args[0])).handBack(Family.SESSION, Family.CHILD);
    }
}
