package org.berth.process.adapter;

import jakarta.resource.NotSupportedException;
import jakarta.resource.ResourceException;
import jakarta.resource.spi.BootstrapContext;
import jakarta.resource.spi.endpoint.MessageEndpointFactory;
import jakarta.transaction.TransactionSynchronizationRegistry;
import java.io.IOException;
import java.util.Map;

/** What a started adapter is made of. */
final class AdapterRuntime implements AutoCloseable {
    /** Threads that complete callers' stages. Source: an own choice; callers may block them for a moment. */
    private static final int COMPLETION_THREADS = 8;

    /** How often orders are looked through for passed deadlines, in milliseconds. Source: an own choice. */
    private static final long EXPIRY_MILLIS = 100;

    private final WorkThreads threads;
    private final TransactionSynchronizationRegistry transactions;
    private final AdapterStatistics statistics;
    private final EventDelivery delivery;
    private final Ports ports;
    private final SupervisorKeeper keeper;

    private AdapterRuntime(
            BootstrapContext context, WorkThreads threads, AdapterSettings settings, Map<String, String> environment)
            throws IOException {
        this.threads = threads;
        transactions = context.getTransactionSynchronizationRegistry();
        SupervisorSet set = new SupervisorSet();
        statistics =
                new AdapterStatistics(set::attempts, () -> set.connectedSlots().count());
        delivery = new EventDelivery(threads, new WorkExecutor(threads, settings.deliveryLanes()), set, statistics);
        ports = new Ports(
                new RoutedProcesses(set, delivery, statistics), new RoutedCommands(set), new RoutedChannels(set));
        SupervisorDistribution distribution = new SupervisorDistribution(settings.stateRoot());
        keeper = new SupervisorKeeper(
                settings,
                new SocketDirectory(settings.socketDirectory(), SocketDirectory.ownUid()),
                distribution,
                new SupervisorLauncher(settings, distribution, environment),
                threads,
                new WorkExecutor(threads, COMPLETION_THREADS),
                statistics,
                set,
                delivery);
        threads.every(
                EXPIRY_MILLIS,
                () -> set.connectedSlots().forEach(slot -> {
                    SupervisorClient client = slot.client;
                    if (client != null) {
                        client.expire(System.nanoTime());
                    }
                }));
    }

    /** Starts the keeper on a work of its own and returns. {@code environment} is the server's. */
    static AdapterRuntime start(BootstrapContext context, AdapterSettings settings, Map<String, String> environment)
            throws IOException, ResourceException {
        WorkThreads threads = new WorkThreads(context);
        AdapterRuntime runtime = new AdapterRuntime(context, threads, settings, environment);
        threads.startLong("berth-keeper", runtime.keeper::run, runtime.keeper::stop);
        return runtime;
    }

    Ports ports() {
        return ports;
    }

    AdapterStatistics statistics() {
        return statistics;
    }

    void activate(MessageEndpointFactory factory, ProcessEventActivation activation) throws ResourceException {
        if (!delivery.activate(new ListenerEndpoint(factory, transactions, activation))) {
            throw new NotSupportedException("One listener is active already; events go to exactly one.");
        }
    }

    void deactivate(MessageEndpointFactory factory) {
        delivery.deactivate(factory);
    }

    @Override
    public void close() {
        keeper.stop();
        threads.close();
    }
}
