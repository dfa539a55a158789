package org.berth.process.adapter;

import jakarta.resource.spi.endpoint.MessageEndpoint;
import jakarta.resource.spi.endpoint.MessageEndpointFactory;
import jakarta.transaction.Status;
import jakarta.transaction.Synchronization;
import jakarta.transaction.TransactionSynchronizationRegistry;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import javax.transaction.xa.XAResource;
import org.berth.placement.ProcessEvent;

/** A message-driven bean with container-managed transactions; notes what it recorded. */
final class FakeBean implements MessageEndpointFactory {
    /** How a delivery ends. */
    enum End {
        COMMIT,
        THROW,
        ROLL_BACK
    }

    final List<String> heard = new CopyOnWriteArrayList<>();
    final List<String> recorded = new CopyOnWriteArrayList<>();
    final List<XAResource> resources = new CopyOnWriteArrayList<>();
    private final ConcurrentHashMap<Thread, Synchronization> joined = new ConcurrentHashMap<>();
    private final Function<ProcessEvent, End> behaviour;

    FakeBean(Function<ProcessEvent, End> behaviour) {
        this.behaviour = behaviour;
    }

    /** The part of the server's registry that the adapter uses. */
    TransactionSynchronizationRegistry transactions() {
        return (TransactionSynchronizationRegistry) Proxy.newProxyInstance(
                FakeBean.class.getClassLoader(),
                new Class<?>[] {TransactionSynchronizationRegistry.class},
                (proxy, method, arguments) -> {
                    if (!method.getName().equals("registerInterposedSynchronization")) {
                        throw new UnsupportedOperationException(method.getName());
                    }
                    joined.put(Thread.currentThread(), (Synchronization) arguments[0]);
                    return null;
                });
    }

    @Override
    public MessageEndpoint createEndpoint(XAResource resource) {
        if (resource != null) {
            resources.add(resource);
        }
        return new Endpoint();
    }

    @Override
    public MessageEndpoint createEndpoint(XAResource resource, long timeout) {
        return createEndpoint(resource);
    }

    @Override
    public boolean isDeliveryTransacted(Method method) {
        return true;
    }

    @Override
    public String getActivationName() {
        return "bean";
    }

    @Override
    public Class<?> getEndpointClass() {
        return Endpoint.class;
    }

    private final class Endpoint implements MessageEndpoint, ProcessEventListener {
        private String recording;
        private boolean rollback;

        @Override
        public void onEvent(ProcessEvent event) {
            String text = event.attemptKey() + event.sequence();
            heard.add(text);
            switch (behaviour.apply(event)) {
                case COMMIT -> recording = text;
                case ROLL_BACK -> rollback = true;
                case THROW -> {
                    rollback = true;
                    throw new IllegalStateException("on purpose");
                }
            }
        }

        @Override
        public void onSupervisorConnected(String incarnation) {
            recording = "connected " + incarnation;
        }

        @Override
        public void onSupervisorLost(String incarnation) {
            recording = "lost " + incarnation;
        }

        @Override
        public void beforeDelivery(Method method) {
            rollback = false;
        }

        @Override
        public void afterDelivery() {
            if (!rollback) {
                recorded.add(recording);
            }
            Synchronization synchronization = joined.remove(Thread.currentThread());
            synchronization.afterCompletion(rollback ? Status.STATUS_ROLLEDBACK : Status.STATUS_COMMITTED);
        }

        @Override
        public void release() {
            recording = null;
        }
    }
}
