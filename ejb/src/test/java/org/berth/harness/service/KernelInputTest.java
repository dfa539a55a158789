package org.berth.harness.service;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.berth.problem.BerthException;
import org.junit.jupiter.api.Test;

class KernelInputTest {
    private final FakePort port = new FakePort();
    private final List<String> broken = new ArrayList<>();
    private final KernelInput input = new KernelInput(port, Runnable::run, broken::add);

    @Property(tries = 100)
    void every_line_arrives_whole_in_its_order_and_in_pieces_that_a_write_takes(
            @ForAll @Size(max = 8) List<@IntRange(max = 200_000) Integer> lengths, @ForAll long seed) {
        FakePort taking = new FakePort();
        KernelInput lines = new KernelInput(taking, Runnable::run, broken::add);
        ByteArrayOutputStream wanted = new ByteArrayOutputStream();
        Random random = new Random(seed);
        boolean holds = random.nextBoolean() && lengths.stream().anyMatch(length -> length > 0);
        if (holds) {
            taking.hold();
        }
        for (int length : lengths) {
            byte[] line = new byte[length];
            random.nextBytes(line);
            wanted.writeBytes(line);
            lines.write(line);
        }
        if (holds) {
            taking.release();
        }
        assertThat(taking.written.toByteArray()).isEqualTo(wanted.toByteArray());
        assertThat(taking.pieces).allMatch(piece -> piece > 0 && piece <= KernelInput.PIECE_BYTES);
    }

    @Test
    void a_piece_whose_reply_was_lost_goes_again_and_is_taken_once() {
        port.fail(BerthException.unavailable("lost"), true);
        input.write("one\n".getBytes());
        input.write("two\n".getBytes());
        assertThat(port.written).hasToString("one\n");
        port.fail(null, false);
        input.resume();
        assertThat(port.written).hasToString("one\ntwo\n");
        assertThat(broken).isEmpty();
    }

    @Test
    void a_piece_that_was_never_sent_is_sent_when_the_way_is_there_again() {
        port.fail(BerthException.unavailable("no supervisor"), false);
        input.write("one\n".getBytes());
        assertThat(port.written).hasToString("");
        port.fail(null, false);
        input.resume();
        assertThat(port.written).hasToString("one\n");
    }

    @Test
    void a_kernel_that_does_not_read_is_broken_once_the_bound_is_passed() {
        port.hold();
        byte[] line = new byte[8 << 20];
        for (long waiting = 0; waiting <= KernelInput.MOST_WAITING_BYTES; waiting += line.length) {
            input.write(line);
        }
        input.write(line);
        assertThat(broken).hasSize(1).first().asString().startsWith("the kernel does not read");
    }

    @Test
    void a_write_that_is_refused_breaks_the_kernel_and_names_the_reason() {
        port.refuse("remembered_full");
        input.write("one\n".getBytes());
        assertThat(broken).containsExactly("the kernel's input was refused: remembered_full");
    }

    @Test
    void after_the_end_nothing_is_written_and_nothing_is_broken() {
        input.close();
        port.refuse("closed");
        input.write("one\n".getBytes());
        assertThat(port.written).hasToString("");
        assertThat(broken).isEmpty();
    }
}
