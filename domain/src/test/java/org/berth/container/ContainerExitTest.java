package org.berth.container;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.Map;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.berth.placement.Exit;
import org.junit.jupiter.api.Test;

class ContainerExitTest {
    private static ContainerState ended(int code, boolean outOfMemory) {
        return new ContainerState("id", "image", "name", Map.of(), "exited", code, outOfMemory, Instant.EPOCH);
    }

    private static Exit exit(int code) {
        return ContainerExit.of(ended(code, false), false, false);
    }

    @Property
    void a_code_up_to_128_is_the_programs_own(
            @ForAll @IntRange(min = 0, max = 128) int code, @ForAll boolean init, @ForAll boolean killed) {
        assertThat(ContainerExit.of(ended(code, false), init, killed)).isEqualTo(new Exit.Exited(code));
    }

    @Property
    void above_128_nothing_is_claimed_behind_an_init(@ForAll @IntRange(min = 129, max = 255) int code) {
        assertThat(ContainerExit.of(ended(code, false), true, false)).isInstanceOf(Exit.Unknown.class);
    }

    @Property
    void a_recorded_exit_is_never_128_and_a_signal_that_could_have_ended_it(
            @ForAll @IntRange(min = 0, max = 300) int code, @ForAll boolean outOfMemory, @ForAll boolean killed) {
        Exit exit = ContainerExit.of(ended(code, outOfMemory), false, killed);
        if (exit instanceof Exit.Exited exited) {
            assertThat(exited.code() - 128).isNotIn(4, 5, 6, 7, 8, 9, 11, 24, 25, 31);
            assertThat(exited.code()).isEqualTo(code);
        }
        if (exit instanceof Exit.Signalled signalled) {
            assertThat(signalled.signal()).isEqualTo(9);
            assertThat(killed || outOfMemory).isTrue();
        }
    }

    @Test
    void a_first_process_cannot_die_of_term_so_that_143_is_its_code() {
        assertThat(exit(143)).isEqualTo(new Exit.Exited(143));
        assertThat(exit(130)).isEqualTo(new Exit.Exited(130));
    }

    @Test
    void a_kill_is_a_signal_only_where_somebody_is_known_to_have_killed() {
        assertThat(exit(137)).isInstanceOf(Exit.Unknown.class);
        assertThat(ContainerExit.of(ended(137, true), false, false)).isEqualTo(new Exit.Signalled(9));
        assertThat(ContainerExit.of(ended(137, false), true, true)).isEqualTo(new Exit.Signalled(9));
        assertThat(exit(139)).isInstanceOf(Exit.Unknown.class);
        assertThat(exit(-1)).isInstanceOf(Exit.Unknown.class);
    }
}
