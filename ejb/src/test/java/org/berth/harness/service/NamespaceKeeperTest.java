package org.berth.harness.service;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.json.JsonObject;
import jakarta.json.JsonValue;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.berth.harness.kernel.HostDispatch;
import org.berth.harness.kernel.KernelListener;
import org.berth.harness.output.BoundedOutput;
import org.berth.harness.output.Truncation;
import org.berth.harness.transport.CommandForm;
import org.berth.harness.transport.KernelTransport;
import org.berth.harness.transport.Mount;
import org.berth.harness.transport.PathMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The names of a session on their way from one kernel to the next, over the real client and a kernel that the test plays. */
class NamespaceKeeperTest {
    private static final String READY = "{\"event\":\"ready\",\"id\":null,\"protocol\":3,\"python\":\"3.11.7\"}";

    private final List<Runnable> scheduled = new ArrayList<>();
    private final HandTimer later = new HandTimer(scheduled);
    private final List<FakePort> ports = new ArrayList<>();
    private final List<JsonObject> asked = new ArrayList<>();
    private final List<String> said = new ArrayList<>();
    private final SessionKernel kernel = new SessionKernel(this::start, Runnable::run, later, said::add, text -> {});
    private String ready = READY;
    private boolean seen = true;
    private boolean savesAtOnce;
    private int made;

    @TempDir
    private Path directory;

    private Path file;

    @BeforeEach
    void name() {
        file = directory.resolve(NamespaceSnapshot.FILE);
    }

    @AfterEach
    void end() {
        later.shutdownNow();
    }

    private CompletionStage<KernelProcess> start(KernelListener listener) {
        FakePort port = new FakePort();
        port.requests = request -> {
            asked.add(request);
            if (savesAtOnce && request.getString("type").equals("snapshot")) {
                done("snapshot", "\"ok\"");
            }
        };
        NamespaceSnapshot snapshot =
                new NamespaceSnapshot(file, seen ? Optional.of("/seen/" + NamespaceSnapshot.FILE) : Optional.empty());
        port.process =
                new KernelProcess("kernel-" + ports.size(), snapshot, port, listener, NOTHING, Runnable::run, later);
        ports.add(port);
        if (!ready.isEmpty()) {
            port.says(ready);
        }
        return CompletableFuture.completedStage(port.process);
    }

    private static final HostDispatch NOTHING = new HostDispatch() {
        @Override
        public boolean serves(String type) {
            return false;
        }

        @Override
        public JsonValue handle(String type, JsonObject data) {
            return JsonValue.NULL;
        }
    };

    private CellRun run(String code) {
        String id = "cell" + ++made;
        CellRun cell = new CellRun(
                id,
                code,
                Truncation.DEFAULT,
                new BoundedOutput(Truncation.DEFAULT, directory.resolve(id)),
                bytes -> {});
        kernel.run(cell);
        return cell;
    }

    private List<String> types() {
        return asked.stream().map(request -> request.getString("type")).toList();
    }

    private String last(String type) {
        return asked.reversed().stream()
                .filter(request -> request.getString("type").equals(type))
                .findFirst()
                .orElseThrow()
                .getString("id");
    }

    private void done(String type, String rest) {
        ports.getLast().says("{\"event\":\"done\",\"id\":\"" + last(type) + "\",\"status\":" + rest + "}");
    }

    private void ran(String code) {
        run(code);
        done("execute", "\"ok\"");
    }

    private static Object diagnostic(CellRun cell) {
        return cell.tree(cell.ending().end().orElseThrow()).get("diagnostic");
    }

    @Test
    void theNamesAreSavedOnceWhenNoCellComesForAWhile() {
        ran("a");
        assertThat(types()).containsExactly("execute");
        later.pass(NamespaceKeeper.QUIET_MILLIS);
        assertThat(types()).containsExactly("execute", "snapshot");
        assertThat(asked.getLast().getString("path")).isEqualTo("/seen/namespace.snapshot");
        done("snapshot", "\"ok\"");
        later.pass(NamespaceKeeper.QUIET_MILLIS);
        assertThat(types()).hasSize(2);
    }

    @Test
    void cellsThatFollowEachOtherHaveNoSaveBetweenThem() {
        savesAtOnce = true;
        ran("a");
        run("b");
        later.pass(NamespaceKeeper.QUIET_MILLIS);
        assertThat(types()).as("while one runs").containsExactly("execute", "execute");
        done("execute", "\"ok\"");
        run("c");
        done("execute", "\"ok\"");
        later.pass(NamespaceKeeper.QUIET_MILLIS);
        assertThat(types()).as("one for both").containsExactly("execute", "execute", "execute", "snapshot");
    }

    @Test
    void aKernelThatIsAboutToServeACellIsNotAskedForTheLastOnesSake() throws IOException {
        ran("a");
        ports.getLast().ends();
        Files.writeString(file, "names");
        run("b");
        later.pass(NamespaceKeeper.QUIET_MILLIS);
        assertThat(types()).containsExactly("execute", "restore");
    }

    @Test
    void aCellInterruptsTheSaveThatIsUnderWayAndTheNamesAreSavedAfterIt() {
        ran("a");
        later.pass(NamespaceKeeper.QUIET_MILLIS);
        run("b");
        assertThat(types()).containsExactly("execute", "snapshot", "interrupt", "execute");
        assertThat(last("interrupt")).isEqualTo(last("snapshot"));
        done("snapshot", "\"error\",\"reason\":\"KeyboardInterrupt: \"");
        done("execute", "\"ok\"");
        assertThat(said).isEmpty();
        later.pass(NamespaceKeeper.QUIET_MILLIS);
        assertThat(types()).endsWith("execute", "snapshot");
    }

    @Test
    void aSaveThatGoesOnTooLongIsInterruptedAndItsKernelLives() {
        ran("a");
        later.pass(NamespaceKeeper.QUIET_MILLIS);
        later.pass(NamespaceKeeper.SAVE_MILLIS);
        assertThat(types()).containsExactly("execute", "snapshot", "interrupt");
        assertThat(scheduled).isEmpty();
        assertThat(ports.getLast().kills).isZero();
    }

    @Test
    void theLogDoesNotSayWhatAFailureOfTheSaveSays() {
        ran("a");
        later.pass(NamespaceKeeper.QUIET_MILLIS);
        done("snapshot", "\"error\",\"reason\":\"OSError: secret\"");
        assertThat(said).containsExactly("the names could not be saved: OSError");
    }

    @Test
    void anOrderlyEndSavesAndWaitsNoLongerThanItsBound() {
        ran("a");
        CompletableFuture<Void> saved = kernel.save(50).toCompletableFuture();
        assertThat(types()).containsExactly("execute", "snapshot");
        assertThat(saved).isNotDone();
        later.pass(50);
        assertThat(saved).isCompleted();
        CompletableFuture<Void> again = kernel.save(60).toCompletableFuture();
        assertThat(types()).as("the one that is under way serves").hasSize(2);
        done("snapshot", "\"ok\"");
        assertThat(again).isCompleted();
    }

    @Test
    void anEndWhileACellRunsOrWithoutAKernelSavesNothing() {
        assertThat(kernel.save(50).toCompletableFuture()).isCompleted();
        run("a");
        assertThat(kernel.save(50).toCompletableFuture()).isCompleted();
        ports.getLast().ends();
        assertThat(kernel.save(50).toCompletableFuture()).isCompleted();
        assertThat(types()).containsExactly("execute");
    }

    @Test
    void aNewKernelRestoresBeforeItsFirstCellAndTheCellSaysWhatCameBack() throws IOException {
        Files.writeString(file, "names");
        Path unfinished = Files.createFile(directory.resolve(".snapshot-1"));
        CellRun cell = run("a");
        assertThat(types()).containsExactly("restore");
        assertThat(unfinished).doesNotExist();
        done(
                "restore",
                "\"ok\",\"restored\":[\"x\",\"y\"],\"failed\":[{\"name\":\"r\",\"reason\":\"ValueError: no\"}],"
                        + "\"skipped\":[{\"name\":\"f\",\"reason\":\"only dill\"}]");
        assertThat(types()).containsExactly("restore", "execute");
        done("execute", "\"ok\"");
        assertThat(diagnostic(cell))
                .isEqualTo("the kernel is a new one; names that came back: 2; names that did not: r (ValueError: no);"
                        + " names that could not be kept: f (only dill)");
        assertThat(said).containsExactly("names came back from the snapshot: 2; failed: 1, never kept: 1");
        CellRun next = run("b");
        done("execute", "\"ok\"");
        assertThat(diagnostic(next)).isNull();
        ports.getLast().ends();
        run("c");
        assertThat(types()).as("the replacement too").endsWith("execute", "restore");
    }

    @Test
    void aFileThatCannotBeReadIsSetAsideAndTheCellRuns() throws IOException {
        Files.writeString(file, "no names");
        CellRun cell = run("a");
        done("restore", "\"error\",\"reason\":\"ValueError: no snapshot\"");
        assertThat(types()).containsExactly("restore", "execute");
        done("execute", "\"ok\"");
        assertThat(diagnostic(cell))
                .asString()
                .contains("ValueError: no snapshot")
                .contains(".unreadable");
        assertThat(file).doesNotExist();
        assertThat(directory.resolve(NamespaceSnapshot.UNREADABLE)).hasContent("no names");
        assertThat(said).singleElement().asString().doesNotContain("ValueError");
    }

    @Test
    void aFileThatEndsItsKernelIsSetAsideAndTheCellRunsInAnotherOne() throws IOException {
        Files.writeString(file, "names");
        CellRun cell = run("a");
        ports.getLast().ends();
        assertThat(ports).hasSize(2);
        assertThat(types()).containsExactly("restore", "execute");
        done("execute", "\"ok\"");
        assertThat(cell.ending().end().orElseThrow().status()).isEqualTo(CellRun.Status.OK);
        assertThat(diagnostic(cell)).asString().contains("ended while it read them");
        assertThat(file).doesNotExist();
    }

    @Test
    void aKernelThatEndsBeforeItServesIsAFaultAndKeepsTheFile() throws IOException {
        Files.writeString(file, "names");
        ready = "";
        CellRun cell = run("a");
        ports.getLast().ends();
        assertThat(cell.ending().end().orElseThrow().status()).isEqualTo(CellRun.Status.FAULT);
        assertThat(ports).hasSize(1);
        assertThat(file).exists();
    }

    @Test
    void anEndDuringARestoreKeepsTheFileAndStartsNothing() throws IOException {
        Files.writeString(file, "names");
        CellRun cell = run("a");
        kernel.end();
        ports.getLast().ends();
        assertThat(cell.ending().end()).isPresent();
        assertThat(ports).hasSize(1);
        assertThat(file).exists();
    }

    @Test
    void aRestoreThatGoesOnTooLongIsInterruptedAndItsKernelKilledAfterTheGrace() throws IOException {
        Files.writeString(file, "names");
        run("a");
        later.pass(NamespaceKeeper.RESTORE_MILLIS);
        assertThat(types()).containsExactly("restore", "interrupt");
        assertThat(ports.getLast().kills).isZero();
        later.pass(SessionKernel.GRACE_MILLIS);
        assertThat(ports.getLast().kills).isPositive();
    }

    @Test
    void aRestoreWhoseAnswerCannotComeIsNotEnded() throws IOException {
        Files.writeString(file, "names");
        run("a");
        ports.getLast().process.lost();
        later.pass(NamespaceKeeper.RESTORE_MILLIS);
        assertThat(types()).containsExactly("restore");
        ports.getLast().process.receiving(through -> {});
        later.pass(NamespaceKeeper.RESTORE_MILLIS);
        assertThat(types()).containsExactly("restore", "interrupt");
    }

    @Test
    void aCellThatIsKilledDuringTheRestoreNeverRunsAndTheNextOneFindsTheNames() throws IOException {
        Files.writeString(file, "names");
        CellRun cell = run("a");
        kernel.kill(cell);
        assertThat(cell.ending().end().orElseThrow().status()).isEqualTo(CellRun.Status.INTERRUPTED);
        run("b");
        done("restore", "\"ok\",\"restored\":[\"x\"],\"failed\":[]");
        assertThat(types()).containsExactly("restore", "execute");
        assertThat(asked.getLast().getString("code")).isEqualTo("b");
    }

    @Test
    void aKernelThatDoesNotSeeTheFileIsAskedForNothing() throws IOException {
        Files.writeString(file, "names");
        seen = false;
        ran("a");
        later.pass(NamespaceKeeper.QUIET_MILLIS);
        assertThat(kernel.save(50).toCompletableFuture()).isCompleted();
        assertThat(types()).containsExactly("execute");
        assertThat(file).exists();
    }

    @Test
    void aWrappedKernelNamesTheFileByItsMountAndALocalOneByItsPath() throws IOException {
        Path shared = Files.createDirectory(directory.resolve("shared"));
        KernelTransport wrapped = new KernelTransport.Wrapped(
                List.of("wrap"),
                KernelTransport.Wrapped.PYTHON,
                CommandForm.ARGV,
                new PathMap(List.of(new Mount("/box", shared))),
                List.of());
        assertThat(NamespaceSnapshot.of(shared, wrapped).inKernel()).contains("/box/namespace.snapshot");
        assertThat(NamespaceSnapshot.of(directory, wrapped).inKernel()).isEmpty();
        assertThat(NamespaceSnapshot.of(directory, new KernelTransport.Local("python3"))
                        .inKernel())
                .contains(file.toString());
    }
}
