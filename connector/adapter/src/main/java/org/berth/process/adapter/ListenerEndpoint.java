package org.berth.process.adapter;

import jakarta.resource.ResourceException;
import jakarta.resource.spi.UnavailableException;
import jakarta.resource.spi.endpoint.MessageEndpoint;
import jakarta.resource.spi.endpoint.MessageEndpointFactory;
import jakarta.transaction.Status;
import jakarta.transaction.Synchronization;
import jakarta.transaction.TransactionSynchronizationRegistry;
import java.lang.reflect.Method;
import org.berth.placement.ProcessEvent;

/**
 * The activated message-driven bean. A call counts only when its container-managed transaction committed, which is
 * watched by a synchronization and not guessed from the return.
 */
final class ListenerEndpoint {
    private final MessageEndpointFactory factory;
    private final TransactionSynchronizationRegistry transactions;
    private final int retryMinMillis;
    private final int retryMaxMillis;
    private final Method onEvent;
    private final Method onConnected;
    private final Method onLost;

    /** {@code transactions} may be null: then a normal return counts as a commit. */
    ListenerEndpoint(
            MessageEndpointFactory factory,
            TransactionSynchronizationRegistry transactions,
            ProcessEventActivation activation) {
        this.factory = factory;
        this.transactions = transactions;
        retryMinMillis = activation.getRetryMinMillis();
        retryMaxMillis = activation.getRetryMaxMillis();
        try {
            onEvent = ProcessEventListener.class.getMethod("onEvent", ProcessEvent.class);
            onConnected = ProcessEventListener.class.getMethod("onSupervisorConnected", String.class);
            onLost = ProcessEventListener.class.getMethod("onSupervisorLost", String.class);
        } catch (NoSuchMethodException e) {
            throw new IllegalStateException("the listener has these methods", e);
        }
    }

    MessageEndpointFactory factory() {
        return factory;
    }

    /** The pause after {@code failures} earlier failures of the same delivery, in milliseconds. */
    long pauseMillis(int failures) {
        return Math.min(retryMaxMillis, (long) retryMinMillis << Math.min(failures, 30));
    }

    /** Returns when the delivery is recorded. @throws Exception when it is not, and must come again */
    void deliver(Delivery delivery) throws Exception {
        MessageEndpoint endpoint = factory.createEndpoint(null);
        try {
            Method method = method(delivery);
            if (transactions != null && factory.isDeliveryTransacted(method)) {
                deliverInTransaction(endpoint, method, delivery);
            } else {
                call((ProcessEventListener) endpoint, delivery);
            }
        } finally {
            endpoint.release();
        }
    }

    private void deliverInTransaction(MessageEndpoint endpoint, Method method, Delivery delivery)
            throws ResourceException, NoSuchMethodException {
        Outcome outcome = new Outcome();
        endpoint.beforeDelivery(method);
        try {
            transactions.registerInterposedSynchronization(outcome);
            call((ProcessEventListener) endpoint, delivery);
        } finally {
            endpoint.afterDelivery();
        }
        if (outcome.status != Status.STATUS_COMMITTED) {
            throw new UnavailableException("the listener's transaction did not commit (status " + outcome.status + ")");
        }
    }

    private Method method(Delivery delivery) {
        return switch (delivery) {
            case Delivery.Event event -> onEvent;
            case Delivery.Connected connected -> onConnected;
            case Delivery.Lost lost -> onLost;
        };
    }

    private static void call(ProcessEventListener listener, Delivery delivery) {
        switch (delivery) {
            case Delivery.Event event -> listener.onEvent(event.event());
            case Delivery.Connected connected -> listener.onSupervisorConnected(connected.incarnation());
            case Delivery.Lost lost -> listener.onSupervisorLost(lost.incarnation());
        }
    }

    private static final class Outcome implements Synchronization {
        private volatile int status = Status.STATUS_UNKNOWN;

        @Override
        public void beforeCompletion() {
            status = Status.STATUS_COMMITTING;
        }

        @Override
        public void afterCompletion(int completed) {
            status = completed;
        }
    }
}
