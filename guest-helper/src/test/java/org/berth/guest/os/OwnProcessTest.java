package org.berth.guest.os;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class OwnProcessTest {
    private static final int PR_GET_DUMPABLE = 3;
    private static final int PR_SET_DUMPABLE = 4;

    @Test
    void aHiddenProcessIsNotDumpable() {
        long before = Kernel.call(Syscall.PRCTL, PR_GET_DUMPABLE, 0, 0);
        try {
            OwnProcess.hide();
            assertThat(Kernel.call(Syscall.PRCTL, PR_GET_DUMPABLE, 0, 0)).isZero();
        } finally {
            Kernel.call(Syscall.PRCTL, PR_SET_DUMPABLE, before, 0);
        }
    }
}
