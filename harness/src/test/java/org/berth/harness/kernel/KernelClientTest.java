package org.berth.harness.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.json.Json;
import jakarta.json.JsonObject;
import jakarta.json.JsonValue;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.berth.harness.frame.ProtocolFault;
import org.berth.harness.transport.KernelLaunch;
import org.berth.harness.transport.KernelStart;
import org.berth.harness.transport.KernelTransport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The client with the real runtime. */
class KernelClientTest {
    private static final Duration LONG = Duration.ofMinutes(5);

    @TempDir
    Path directory;

    final Handlers handlers = new Handlers();
    final RemoteTools tools = new RemoteTools(handlers);
    ProcessKernel kernel;

    @BeforeEach
    void start() throws Exception {
        kernel = new ProcessKernel(
                KernelLaunch.of(
                        new KernelTransport.Local(KernelSource.interpreter()),
                        new KernelStart(
                                directory,
                                KernelSource.directory(),
                                List.of(),
                                Map.of("PYTHONDONTWRITEBYTECODE", "1"),
                                Map.of(),
                                System.getenv(),
                                ProcessHandle.current().pid())),
                tools);
        kernel.awaitReady();
    }

    @AfterEach
    void end() throws Exception {
        kernel.close();
        assertThat(kernel.listener.ended).isTrue();
    }

    private RecordingCell run(String code) throws Exception {
        RecordingCell cell = new RecordingCell();
        Done done = kernel.done(kernel.client.execute(code, cell));
        assertThat(done.ok()).as("%s", cell.all()).isTrue();
        return cell;
    }

    private RemoteOutcome call(String name, JsonObject arguments, Duration budget) throws Exception {
        return tools.call(() -> Optional.of(kernel.client), name, arguments, budget, new RecordingCell())
                .get(ProcessKernel.PATIENCE_SECONDS, TimeUnit.SECONDS);
    }

    @Test
    void aCellsOutputResultAndEndComeBackInOrder() throws Exception {
        RecordingCell cell = run("import sys\nprint('a', end='')\nprint('b', end='', file=sys.stderr)\n"
                + "display({'text/plain': 'ä'})\n20 + 1");
        assertThat(cell.all()).containsExactly("STDOUT:a", "STDERR:b", "display:{\"text/plain\":\"ä\"}", "result:21");
    }

    @Test
    void anErrorIsShownAndTheEndIsNotOk() throws Exception {
        RecordingCell cell = new RecordingCell();
        Done done = kernel.done(kernel.client.execute("1 / 0", cell));
        assertThat(done.ok()).isFalse();
        assertThat(done.reason()).isEqualTo("ZeroDivisionError: division by zero");
        assertThat(cell.all()).containsExactly("error:ZeroDivisionError:division by zero");
    }

    @Test
    void rawBytesBelongToNoCell() throws Exception {
        RecordingCell cell = run("import os\n_ = os.write(1, b'raw')");
        assertThat(cell.all()).isEmpty();
        assertThat(kernel.listener.output).containsExactly("STDOUT:raw");
    }

    @Test
    void anInterruptEndsTheCellItNames() throws Exception {
        RecordingCell cell = new RecordingCell();
        KernelRequest request = kernel.client.execute("print('on')\nwhile True: pass", cell);
        assertThat(cell.next()).isEqualTo("STDOUT:on");
        kernel.client.interrupt(request.id());
        assertThat(kernel.done(request).reason()).startsWith("KeyboardInterrupt");
        assertThat(run("1").all()).containsExactly("result:1");
    }

    @Test
    void namesAreListedSavedAndRestored() throws Exception {
        run("x = 5");
        String path = directory.resolve("names").toString();
        assertThat(kernel.done(kernel.client.snapshot(path)).frame().getJsonArray("saved"))
                .hasSize(1);
        run("x = 6");
        assertThat(kernel.done(kernel.client.restore(path)).frame().getJsonArray("restored"))
                .hasSize(1);
        assertThat(run("x").all()).containsExactly("result:5");
        assertThat(kernel.done(kernel.client.listNames())
                        .frame()
                        .getJsonArray("names")
                        .getString(0))
                .isEqualTo("x");
    }

    @Test
    void aHostRequestIsServedAndOneThatIsNotServedIsAnErrorOfTheCell() throws Exception {
        handlers.on("double", data -> Json.createValue(data.getInt("n") * 2));
        assertThat(run("await host_request('double', {'n': 21})").all()).containsExactly("result:42");
        RecordingCell cell = new RecordingCell();
        kernel.done(kernel.client.execute("await host_request('triple')", cell));
        assertThat(cell.all()).hasSize(1).first().asString().startsWith("error:HostError:");
    }

    @Test
    void aHandlersFailureIsTheCellsAndASlowHandlerHoldsBackNone() throws Exception {
        CountDownLatch release = new CountDownLatch(1);
        handlers.on("slow", data -> {
            release.await();
            return Json.createValue("slow");
        });
        handlers.on("fast", data -> {
            release.countDown();
            throw new IllegalStateException("fast failed");
        });
        RecordingCell cell = run("import asyncio\nslow = asyncio.create_task(host_request('slow'))\n"
                + "await asyncio.sleep(0)\ntry:\n    await host_request('fast')\nexcept Exception as e:\n"
                + "    print(e, end='')\nawait slow");
        assertThat(cell.all()).containsExactly("STDOUT:fast failed", "result:'slow'");
    }

    @Test
    void aRemoteFunctionIsOfferedAndCalled() throws Exception {
        run("@remote\ndef add(a: int, b: int = 2):\n    '''Adds.'''\n    return {'sum': a + b}");
        // The announcement is answered on a thread of its own; a second one of the same lane is behind it in the
        // kernel.
        handlers.on("sync", data -> JsonValue.NULL);
        while (tools.functions().isEmpty()) {
            run("await host_request('sync')");
        }
        assertThat(tools.functions()).singleElement().satisfies(function -> {
            assertThat(function.name()).isEqualTo("add");
            assertThat(function.doc()).isEqualTo("Adds.");
            assertThat(function.schema().getJsonArray("required")).hasSize(1);
        });
        assertThat(call("add", Json.createObjectBuilder().add("a", 3).build(), LONG))
                .isEqualTo(new RemoteOutcome.Returned(
                        Json.createObjectBuilder().add("sum", 5).build()));
    }

    private void offer(String source, String name) throws Exception {
        handlers.on("sync", data -> JsonValue.NULL);
        run("@remote\n" + source);
        while (tools.functions().stream().noneMatch(function -> function.name().equals(name))) {
            run("await host_request('sync')");
        }
    }

    @Test
    void everyFailureOfACallIsTyped() throws Exception {
        offer("def bad(): raise KeyError('k')", "bad");
        offer("def nan(): return float('nan')", "nan");
        offer("def hang():\n    import threading; threading.Event().wait()", "hang");
        JsonObject none = JsonValue.EMPTY_JSON_OBJECT;
        assertThat(call("bad", none, LONG))
                .isEqualTo(new RemoteOutcome.Failed(RemoteOutcome.Error.FAILED, "KeyError: 'k'"));
        assertThat(call("bad", Json.createObjectBuilder().add("x", 1).build(), LONG)
                        .toString())
                .contains("FAILED", "TypeError", "unexpected keyword argument 'x'");
        assertThat(call("nan", none, LONG).toString()).contains("FAILED", "not strict JSON");
        assertThat(call("none", none, LONG).toString()).contains("UNKNOWN");
        assertThat(call("hang", none, Duration.ofMillis(1)).toString()).contains("TIMEOUT");
        assertThat(call("hang", none, Duration.ZERO).toString()).contains("TIMEOUT");
        assertThat(run("1").all()).containsExactly("result:1");
    }

    @Test
    void aKernelThatEndsDuringACallIsUnreachableAndThenNotRunning() throws Exception {
        offer("def leave():\n    import os; os._exit(3)", "leave");
        assertThat(call("leave", JsonValue.EMPTY_JSON_OBJECT, LONG).toString()).contains("UNREACHABLE");
        assertThat(kernel.awaitExit()).isEqualTo(3);
        assertThat(call("leave", JsonValue.EMPTY_JSON_OBJECT, LONG).toString()).contains("NOT_RUNNING");
    }

    @Test
    void whatIsOpenFailsWhenTheKernelIsKilledAndWhatComesLaterTooAtOnce() throws Exception {
        RecordingCell cell = new RecordingCell();
        KernelRequest request = kernel.client.execute("print('on')\nwhile True: pass", cell);
        cell.next();
        kernel.client.kill();
        assertThatThrownBy(() -> kernel.done(request))
                .isInstanceOf(ExecutionException.class)
                .hasCauseInstanceOf(KernelEnded.class);
        kernel.awaitExit();
        assertThat(kernel.client.execute("1", cell).done()).isCompletedExceptionally();
        assertThat(kernel.client.isRunning()).isFalse();
    }

    @Test
    void shutdownEndsTheKernelInOrder() throws Exception {
        assertThat(kernel.done(kernel.client.shutdown()).ok()).isTrue();
        assertThat(kernel.awaitExit()).isZero();
    }

    @Test
    void aKernelThatBreaksTheProtocolFailsTheRequestInFlightLoudlyAndIsKilled() throws Exception {
        CompletableFuture<Done> done = kernel.client
                .execute(
                        "from berth_kernel import runtime\nimport os\n"
                                + "os.write(runtime.current().writer._descriptor, b'no frame\\n')\nwhile True: pass",
                        new RecordingCell())
                .done();
        assertThatThrownBy(() -> done.get(ProcessKernel.PATIENCE_SECONDS, TimeUnit.SECONDS))
                .hasCauseInstanceOf(ProtocolFault.class);
        kernel.awaitExit();
        assertThat(kernel.listener.faults).hasSize(1);
    }
}
