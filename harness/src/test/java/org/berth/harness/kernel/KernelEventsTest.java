package org.berth.harness.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.json.JsonValue;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

/** The client with frames that a kernel should not, or need not, send. */
class KernelEventsTest {
    private static final class Wire implements KernelChannel {
        final List<String> lines = new CopyOnWriteArrayList<>();
        int kills;

        @Override
        public void write(byte[] line) {
            lines.add(new String(line, StandardCharsets.UTF_8));
        }

        @Override
        public void closeInput() {
            lines.add("closed");
        }

        @Override
        public void kill() {
            kills++;
        }
    }

    private final Wire wire = new Wire();
    private final RecordingListener listener = new RecordingListener();
    private final KernelClient client = new KernelClient(wire, listener, new Handlers(), Runnable::run);
    private final RecordingCell cell = new RecordingCell();

    private void receive(String... frames) {
        for (String frame : frames) {
            client.received(ByteBuffer.wrap((frame.replace('\'', '"') + "\n").getBytes(StandardCharsets.UTF_8)));
        }
    }

    @Test
    void aKernelOfAnotherProtocolIsKilledAndNothingRuns() {
        receive("{'event':'ready','protocol':2}");
        assertThat(client.isRunning()).isFalse();
        assertThat(wire.kills).isEqualTo(1);
        assertThatThrownBy(() -> client.ready().get()).hasRootCauseMessage("the kernel speaks protocol 2, not 3");
    }

    @Test
    void anEndIsFinal() {
        KernelRequest request = client.execute("x", cell);
        receive(
                "{'event':'ready','protocol':3,'python':'3.13'}",
                "{'event':'done','id':'" + request.id() + "','status':'ok'}",
                "{'event':'stdout','id':'" + request.id() + "','text':'late'}",
                "{'event':'result','id':'" + request.id() + "','text':'late'}",
                "{'event':'done','id':'" + request.id() + "','status':'error'}");
        assertThat(request.done().join().ok()).isTrue();
        assertThat(cell.all()).isEmpty();
        assertThat(listener.output).containsExactly("STDOUT:late");
        assertThat(listener.diagnostics).hasSize(2);
    }

    @Test
    void eventsOfTwoRequestsDoNotMix() {
        RecordingCell other = new RecordingCell();
        KernelRequest first = client.execute("a", cell);
        KernelRequest second = client.call("m", "f", JsonValue.EMPTY_JSON_OBJECT, other);
        receive(
                "{'event':'stdout','id':'" + second.id() + "','text':'2'}",
                "{'event':'stdout','id':'" + first.id() + "','text':'1'}",
                "{'event':'done','id':'" + second.id() + "','status':'ok','result':7}");
        assertThat(cell.all()).containsExactly("STDOUT:1");
        assertThat(other.all()).containsExactly("STDOUT:2");
        assertThat(first.done()).isNotDone();
        assertThat(second.done().join().frame().getInt("result")).isEqualTo(7);
    }

    @Test
    void aRefusedRequestOfTheHostAndUnknownEventsAreDiagnosticsOnly() {
        receive(
                "{'event':'error','id':null,'ename':'ProtocolError','evalue':'no','traceback':[]}",
                "{'event':'progress'}",
                "{'event':'display','id':'r9','data':{}}",
                "{'event':'error','id':'r9','ename':5}");
        assertThat(listener.diagnostics).hasSize(3);
        assertThat(listener.faults).isEmpty();
    }

    @Test
    void fieldsOfAnotherKindAreReadAsEmpty() {
        KernelRequest request = client.execute("x", cell);
        receive(
                "{'event':'display','id':'" + request.id() + "','data':5}",
                "{'event':'error','id':'" + request.id() + "','traceback':'x'}",
                "{'event':'done','id':'" + request.id() + "'}");
        assertThat(cell.all()).containsExactly("display:{}", "error::");
        assertThat(request.done().join().ok()).isFalse();
    }

    @Test
    void anOutputThatEndsInsideALineIsAFault() {
        KernelRequest request = client.execute("x", cell);
        client.received(ByteBuffer.wrap("{\"event\":".getBytes(StandardCharsets.UTF_8)));
        client.ended();
        assertThat(request.done()).isCompletedExceptionally();
        assertThat(listener.faults).hasSize(1);
        assertThat(listener.ended).isTrue();
    }

    @Test
    void nothingIsWrittenAfterTheEnd() {
        client.ended();
        client.execute("x", cell);
        assertThat(wire.lines).isEmpty();
    }

    @Test
    void anInterruptNamesItsRequest() {
        KernelRequest request = client.execute("x", cell);
        client.interrupt(request.id());
        assertThat(wire.lines.getLast()).isEqualTo("{\"type\":\"interrupt\",\"id\":\"" + request.id() + "\"}\n");
    }
}
