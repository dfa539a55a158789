package org.berth.guest.os;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** Who descends from this process. */
public final class Ancestry {
    private static final int PR_SET_CHILD_SUBREAPER = 36;
    private static final int PARENT_FIELD = 1;
    private static final int MAX_DEPTH = 1000;

    private Ancestry() {}

    /** From now on orphans among the descendants become children of this process, so that they stay descendants. */
    public static void adoptOrphans() {
        Kernel.require("prctl", Kernel.call(Syscall.PRCTL, PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0));
    }

    /** Whether {@code pid} was surely not started from here; 0 is a process that is not seen from here. */
    public static boolean isForeign(long pid) {
        long own = ProcessHandle.current().pid();
        long current = pid;
        for (int i = 0; current != 0 && i < MAX_DEPTH; i++) {
            if (current == own) {
                return false;
            }
            try {
                String stat = new String(
                        Files.readAllBytes(Path.of("/proc/" + current + "/stat")), StandardCharsets.ISO_8859_1);
                current =
                        Long.parseLong(stat.substring(stat.lastIndexOf(')') + 2).split(" ")[PARENT_FIELD]);
            } catch (IOException e) {
                return false;
            }
        }
        return current == 0;
    }
}
