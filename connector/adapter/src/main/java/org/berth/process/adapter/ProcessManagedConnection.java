package org.berth.process.adapter;

import jakarta.resource.NotSupportedException;
import jakarta.resource.ResourceException;
import jakarta.resource.spi.ConnectionEvent;
import jakarta.resource.spi.ConnectionEventListener;
import jakarta.resource.spi.ConnectionRequestInfo;
import jakarta.resource.spi.LocalTransaction;
import jakarta.resource.spi.ManagedConnection;
import jakarta.resource.spi.ManagedConnectionMetaData;
import java.io.PrintWriter;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.security.auth.Subject;
import javax.transaction.xa.XAResource;

/** A pooled entry behind the handles; holds nothing but them, so a lost supervisor does not spoil it. */
final class ProcessManagedConnection implements ManagedConnection {
    private final Ports ports;
    private final Set<ProcessConnection> handles = ConcurrentHashMap.newKeySet();
    private final List<ConnectionEventListener> listeners = new CopyOnWriteArrayList<>();
    private PrintWriter logWriter;

    ProcessManagedConnection(Ports ports) {
        this.ports = ports;
    }

    @Override
    public Object getConnection(Subject subject, ConnectionRequestInfo info) {
        ProcessConnection handle = new ProcessConnection(this, ports);
        handles.add(handle);
        return handle;
    }

    /** The caller is done with {@code handle}. */
    void closed(ProcessConnection handle) {
        if (!handles.remove(handle)) {
            return;
        }
        handle.attach(null);
        ConnectionEvent event = new ConnectionEvent(this, ConnectionEvent.CONNECTION_CLOSED);
        event.setConnectionHandle(handle);
        listeners.forEach(listener -> listener.connectionClosed(event));
    }

    @Override
    public void associateConnection(Object connection) {
        ProcessConnection handle = (ProcessConnection) connection;
        handle.attach(this);
        handles.add(handle);
    }

    @Override
    public void cleanup() {
        handles.forEach(handle -> handle.attach(null));
        handles.clear();
    }

    @Override
    public void destroy() {
        cleanup();
    }

    @Override
    public void addConnectionEventListener(ConnectionEventListener listener) {
        listeners.add(listener);
    }

    @Override
    public void removeConnectionEventListener(ConnectionEventListener listener) {
        listeners.remove(listener);
    }

    @Override
    public XAResource getXAResource() throws ResourceException {
        throw new NotSupportedException("A launch cannot be rolled back.");
    }

    @Override
    public LocalTransaction getLocalTransaction() throws ResourceException {
        throw new NotSupportedException("A launch cannot be rolled back.");
    }

    @Override
    public ManagedConnectionMetaData getMetaData() {
        return new MetaData();
    }

    @Override
    public void setLogWriter(PrintWriter out) {
        logWriter = out;
    }

    @Override
    public PrintWriter getLogWriter() {
        return logWriter;
    }

    private static final class MetaData implements ManagedConnectionMetaData {
        @Override
        public String getEISProductName() {
            return "Berth process supervisor";
        }

        @Override
        public String getEISProductVersion() {
            return "1";
        }

        /** 0: no limit. Source: the interface's own documentation. */
        @Override
        public int getMaxConnections() {
            return 0;
        }

        @Override
        public String getUserName() {
            return System.getProperty("user.name");
        }
    }
}
