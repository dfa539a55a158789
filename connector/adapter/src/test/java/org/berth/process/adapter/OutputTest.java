package org.berth.process.adapter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.berth.process.adapter.AdapterFixture.await;
import static org.berth.process.adapter.AdapterFixture.get;

import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.LongConsumer;
import org.berth.placement.Exit;
import org.berth.placement.FenceOutcome;
import org.berth.placement.OutputRecipient;
import org.berth.placement.OutputStreamKind;
import org.berth.process.adapter.AdapterStatistics.Counter;
import org.berth.process.protocol.Frame;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OutputTest {
    @TempDir
    Path root;

    private AdapterFixture fixture;
    private FakeSupervisor supervisor;

    private static final class Notes implements OutputRecipient {
        final List<String> notes = new CopyOnWriteArrayList<>();
        volatile LongConsumer acknowledge;

        @Override
        public void receiving(LongConsumer through) {
            acknowledge = through;
        }

        @Override
        public void chunk(OutputStreamKind stream, long sequence, byte[] data, boolean eof, boolean truncated) {
            notes.add(stream + " " + sequence + (eof ? " eof" : ""));
        }

        @Override
        public void exited(Exit exit) {
            notes.add(exit.toString());
        }

        @Override
        public void fenced(long generation) {
            notes.add("fenced " + generation);
        }

        @Override
        public void lost() {
            notes.add("lost");
        }
    }

    @BeforeEach
    void prepare() throws Exception {
        fixture = new AdapterFixture(root);
        supervisor = fixture.ownSupervisor();
        fixture.startConnected(1);
    }

    @AfterEach
    void end() throws Exception {
        fixture.close();
        supervisor.close();
    }

    private static Frame.Output chunk(long sequence) {
        return new Frame.Output("a", 1, 1, sequence, false, false, new byte[100]);
    }

    private void send(long... sequences) {
        for (long sequence : sequences) {
            supervisor.notice(chunk(sequence));
        }
    }

    private Notes received() throws Exception {
        Notes notes = new Notes();
        assertThat(get(fixture.processes().receive("a", "n", 1, notes)).accepted())
                .isTrue();
        return notes;
    }

    @Test
    void chunksExitAndEndReachTheRecipientInOrder() throws Exception {
        Notes notes = received();
        send(1, 2);
        supervisor.notice(new Frame.ExitNotice("a", 1, new Exit.Exited(3)));
        supervisor.notice(new Frame.Output("a", 1, 1, 3, true, false, new byte[0]));
        await("all", () -> notes.notes.size() == 4);
        assertThat(notes.notes).containsExactly("STDOUT 1", "STDOUT 2", "Exited[code=3]", "STDOUT 3 eof");
        assertThat(fixture.counted(Counter.OUTPUT_BYTES)).isEqualTo(200);
    }

    @Test
    void aReplacedRecipientHearsThatItIsFencedAndNothingAfterIt() throws Exception {
        Notes notes = received();
        send(1);
        supervisor.notice(new Frame.Fenced("a", 2));
        send(2);
        get(fixture.processes().list());
        assertThat(notes.notes).containsExactly("STDOUT 1", "fenced 2");
    }

    @Test
    void aLostConnectionIsToldOnce() throws Exception {
        Notes notes = received();
        supervisor.dropConnections();
        await("lost", () -> !notes.notes.isEmpty());
        await("reconnected", () -> fixture.counted(Counter.RECONNECTS) == 1);
        assertThat(notes.notes).containsExactly("lost");
    }

    @Test
    void aNewRecipientOfTheSameGenerationGetsTheRepetitionAndNotWhatWasInFlightBefore() throws Exception {
        Notes first = received();
        send(1, 2);
        supervisor.on(Frame.Receive.class, (connection, order) -> {
            connection.send(0, chunk(3));
            return new Frame.FenceReply(new FenceOutcome(true, 1, true, true));
        });
        Notes second = received();
        send(1, 2, 3, 4);
        await("repetition", () -> second.notes.size() == 4);
        assertThat(first.notes).containsExactly("STDOUT 1", "STDOUT 2", "STDOUT 3");
        assertThat(second.notes).containsExactly("STDOUT 1", "STDOUT 2", "STDOUT 3", "STDOUT 4");
    }

    @Test
    void aRecipientThatWasNotAcceptedReceivesNothing() throws Exception {
        supervisor.on(
                Frame.Receive.class,
                (connection, order) -> new Frame.FenceReply(new FenceOutcome(false, 5, true, true)));
        Notes notes = new Notes();
        assertThat(get(fixture.processes().receive("a", "n", 1, notes)).generation())
                .isEqualTo(5);
        send(1);
        get(fixture.processes().list());
        assertThat(notes.notes).isEmpty();
    }

    @Test
    void aReleasedRecipientReceivesNothingMoreAndTheSupervisorIsTold() throws Exception {
        Notes notes = received();
        send(1);
        await("first", () -> notes.notes.size() == 1);
        fixture.processes().release("a", new Notes());
        fixture.processes().release("a", notes);
        send(2);
        get(fixture.processes().list());
        assertThat(notes.notes).containsExactly("STDOUT 1");
        assertThat(supervisor.received(Frame.Release.class)).hasSize(1);
    }

    @Test
    void whatARecipientAcknowledgesReachesTheSupervisorUnderItsGeneration() throws Exception {
        Notes notes = received();
        send(1, 2);
        await("both", () -> notes.notes.size() == 2);
        notes.acknowledge.accept(2);
        await("told", () -> !supervisor.received(Frame.Acknowledge.class).isEmpty());
        assertThat(supervisor.received(Frame.Acknowledge.class)).containsExactly(new Frame.Acknowledge("a", "n", 1, 2));
    }
}
