package org.berth.process.adapter;

import jakarta.transaction.TransactionSynchronizationRegistry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import org.berth.placement.Capability;
import org.berth.placement.Processes;
import org.berth.placement.SpawnOrder;
import org.berth.problem.BerthException;
import org.berth.problem.ProblemCode;
import org.berth.process.adapter.AdapterStatistics.Counter;

/** An adapter with its directories below one temporary directory. Its Java launcher is a script that only notes. */
// Tests run on threads that nobody interrupts.
@SuppressWarnings("try")
final class AdapterFixture implements AutoCloseable {
    static final Duration PATIENCE = Duration.ofSeconds(20);

    final Path root;
    final Path sockets;
    final Path distribution;
    final Path launched;
    private FakeServer server;
    final ProcessResourceAdapter adapter = new ProcessResourceAdapter();

    AdapterFixture(Path root) throws IOException {
        this.root = root;
        sockets = root.resolve("s");
        distribution = Files.createDirectories(root.resolve("dist"));
        launched = root.resolve("launched");
        Files.writeString(distribution.resolve("berth-supervisor.jar"), "program");
        Files.writeString(distribution.resolve("java.args"), "-Xmx64m");
        Files.createDirectory(
                sockets, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        Path java = root.resolve("java");
        Files.writeString(
                java,
                "#!/bin/sh\n{ pwd; env; printf '%s\\n' \"$@\"; } > " + launched + ".part\nmv " + launched + ".part "
                        + launched + "\n");
        Files.setPosixFilePermissions(java, PosixFilePermissions.fromString("rwx------"));
        adapter.setStateRoot(root.resolve("home").toString());
        adapter.setSocketDirectory(sockets.toString());
        adapter.setSupervisorDistribution(distribution.toString());
        adapter.setJavaCommand(java.toString());
        adapter.setReconnectMinMillis(10);
        adapter.setReconnectMaxMillis(50);
        adapter.setConnectMillis(2_000);
        adapter.setRequestMillis(10_000);
    }

    /** The supervisor of the adapter's own build. */
    FakeSupervisor ownSupervisor() throws IOException {
        return new FakeSupervisor(ownSocket(), "own");
    }

    Path ownSocket() throws IOException {
        return new SocketDirectory(sockets, 0).socket(SupervisorDistribution.digest(distribution));
    }

    Path socket(String build) {
        return sockets.resolve("supervisor-" + build + ".sock");
    }

    AdapterFixture start() throws Exception {
        return start(null);
    }

    AdapterFixture start(TransactionSynchronizationRegistry transactions) throws Exception {
        server = new FakeServer(transactions);
        adapter.start(server);
        return this;
    }

    AdapterFixture startConnected(int supervisors) throws Exception {
        start();
        await("connected", () -> processes().supervisors().size() == supervisors);
        return this;
    }

    Processes processes() {
        return adapter.ports().processes();
    }

    long counted(Counter counter) {
        return (Long) adapter.getStatistics().getValue(counter.key());
    }

    static SpawnOrder spawn(String attemptKey) {
        return new SpawnOrder(
                attemptKey,
                "n",
                "/bin/true",
                List.of(),
                Map.of(),
                "/",
                null,
                null,
                false,
                Capability.DIRECT_PROCESS,
                1,
                1,
                null,
                null,
                1,
                null);
    }

    static <T> T get(CompletionStage<T> stage) throws InterruptedException, TimeoutException {
        try {
            return stage.toCompletableFuture().get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException e) {
            throw (RuntimeException) e.getCause();
        }
    }

    /** The code that {@code stage} fails with; null when it does not fail. */
    static ProblemCode problem(CompletionStage<?> stage) throws InterruptedException, TimeoutException {
        try {
            get(stage);
            return null;
        } catch (BerthException e) {
            return e.code();
        }
    }

    static void await(String what, BooleanSupplier condition) throws InterruptedException {
        Instant end = Instant.now().plus(PATIENCE);
        while (!condition.getAsBoolean()) {
            if (Instant.now().isAfter(end)) {
                throw new AssertionError("never came: " + what);
            }
            Thread.sleep(2);
        }
    }

    /** Returns when nothing that was started writes any more. */
    @Override
    public void close() {
        adapter.stop();
        try {
            if (server != null) {
                server.awaitEnd();
            }
            await(
                    "end of launched programs",
                    () -> ProcessHandle.current()
                            .children()
                            .noneMatch(child ->
                                    child.info().commandLine().orElse("").contains(root.toString())));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
