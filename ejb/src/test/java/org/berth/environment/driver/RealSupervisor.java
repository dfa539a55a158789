package org.berth.environment.driver;

import jakarta.resource.ResourceException;
import jakarta.resource.spi.BootstrapContext;
import jakarta.resource.spi.ConnectionManager;
import jakarta.resource.spi.ConnectionRequestInfo;
import jakarta.resource.spi.ManagedConnectionFactory;
import jakarta.resource.spi.XATerminator;
import jakarta.resource.spi.work.ExecutionContext;
import jakarta.resource.spi.work.Work;
import jakarta.resource.spi.work.WorkContext;
import jakarta.resource.spi.work.WorkListener;
import jakarta.resource.spi.work.WorkManager;
import jakarta.transaction.TransactionSynchronizationRegistry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Timer;
import java.util.function.BooleanSupplier;
import org.berth.environment.GuestChannels;
import org.berth.environment.HostCommands;
import org.berth.files.Trees;
import org.berth.placement.Processes;
import org.berth.process.adapter.ProcessConnection;
import org.berth.process.adapter.ProcessConnectionFactory;
import org.berth.process.adapter.ProcessManagedConnectionFactory;
import org.berth.process.adapter.ProcessResourceAdapter;

/** The shipped supervisor, run for one test class through the real adapter, in a state root of its own. */
public final class RealSupervisor implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final Path root;
    private ProcessResourceAdapter adapter;
    private ProcessConnection connection;

    private RealSupervisor(Path root) {
        this.root = root;
    }

    /** Below /tmp, since the paths of sockets are short. */
    public static RealSupervisor start() throws Exception {
        RealSupervisor supervisor = new RealSupervisor(
                Files.createTempDirectory(Path.of("/tmp"), "be").toRealPath());
        supervisor.connect();
        return supervisor;
    }

    /** What the build made in {@code path} below the repository's root. */
    public static Path built(String path) {
        return Path.of(System.getProperty("berth.root")).resolve(path);
    }

    private void connect() throws Exception {
        adapter = new ProcessResourceAdapter();
        adapter.setStateRoot(Files.createDirectories(root.resolve("h")).toString());
        adapter.setSocketDirectory(Files.createDirectories(root.resolve("s")).toString());
        adapter.setSupervisorDistribution(
                built("connector/supervisor/target/supervisor").toString());
        adapter.setJavaCommand(
                Path.of(System.getProperty("java.home"), "bin/java").toString());
        adapter.start(new Server());
        ProcessManagedConnectionFactory factory = new ProcessManagedConnectionFactory();
        factory.setResourceAdapter(adapter);
        connection = ((ProcessConnectionFactory) factory.createConnectionFactory(new Connections())).getConnection();
        await("a supervisor is connected", () -> !connection.supervisors().isEmpty());
    }

    /** What a server's restart does: another adapter finds the same supervisor. */
    public void restartServer() throws Exception {
        adapter.stop();
        connect();
    }

    public Path root() {
        return root;
    }

    public Processes processes() {
        return connection;
    }

    public HostCommands commands() {
        return connection.commands();
    }

    public GuestChannels channels() {
        return connection.channels();
    }

    public long pid() {
        return connection.supervisors().getFirst().pid();
    }

    public static void await(String what, BooleanSupplier condition) throws InterruptedException {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - deadline > 0) {
                throw new AssertionError("waited in vain until " + what);
            }
            Thread.sleep(5);
        }
    }

    @Override
    public void close() throws IOException {
        long pid = pid();
        adapter.stop();
        ProcessHandle.of(pid).ifPresent(process -> {
            process.destroy();
            process.onExit()
                    .orTimeout(PATIENCE.toSeconds(), java.util.concurrent.TimeUnit.SECONDS)
                    .join();
        });
        Trees.remove(root);
    }

    private static final class Connections implements ConnectionManager {
        private static final long serialVersionUID = 1L;

        @Override
        public Object allocateConnection(ManagedConnectionFactory factory, ConnectionRequestInfo info)
                throws ResourceException {
            return factory.createManagedConnection(null, info).getConnection(null, info);
        }
    }

    /** The part of an application server that the adapter is started by: a thread per work. */
    private static final class Server implements BootstrapContext, WorkManager {
        @Override
        public WorkManager getWorkManager() {
            return this;
        }

        @Override
        public XATerminator getXATerminator() {
            return null;
        }

        @Override
        public Timer createTimer() {
            return new Timer(true);
        }

        @Override
        public boolean isContextSupported(Class<? extends WorkContext> type) {
            return true;
        }

        @Override
        public TransactionSynchronizationRegistry getTransactionSynchronizationRegistry() {
            return null;
        }

        @Override
        public void doWork(Work work) {
            work.run();
        }

        @Override
        public void doWork(Work work, long timeout, ExecutionContext context, WorkListener listener) {
            work.run();
        }

        @Override
        public long startWork(Work work) {
            scheduleWork(work);
            return 0;
        }

        @Override
        public long startWork(Work work, long timeout, ExecutionContext context, WorkListener listener) {
            return startWork(work);
        }

        @Override
        public void scheduleWork(Work work) {
            Thread.ofPlatform().daemon().start(work);
        }

        @Override
        public void scheduleWork(Work work, long timeout, ExecutionContext context, WorkListener listener) {
            scheduleWork(work);
        }
    }
}
