package org.berth.process.adapter;

import jakarta.resource.NotSupportedException;
import jakarta.resource.ResourceException;
import jakarta.resource.spi.ConnectionDefinition;
import jakarta.resource.spi.ConnectionManager;
import jakarta.resource.spi.ConnectionRequestInfo;
import jakarta.resource.spi.ManagedConnection;
import jakarta.resource.spi.ManagedConnectionFactory;
import jakarta.resource.spi.ResourceAdapter;
import jakarta.resource.spi.ResourceAdapterAssociation;
import java.io.PrintWriter;
import java.util.Set;
import javax.security.auth.Subject;

/** Makes the server's view of a connection; all of them share the adapter's own connections to the supervisors. */
@ConnectionDefinition(
        connectionFactory = ProcessConnectionFactory.class,
        connectionFactoryImpl = ProcessConnectionFactory.class,
        connection = ProcessConnection.class,
        connectionImpl = ProcessConnection.class)
public class ProcessManagedConnectionFactory implements ManagedConnectionFactory, ResourceAdapterAssociation {
    private static final long serialVersionUID = 1L;

    private ProcessResourceAdapter adapter;
    private transient PrintWriter logWriter;

    @Override
    public Object createConnectionFactory(ConnectionManager manager) {
        return new ProcessConnectionFactory(this, manager);
    }

    @Override
    public Object createConnectionFactory() throws ResourceException {
        throw new NotSupportedException("The processes can be reached through an application server only.");
    }

    @Override
    public ManagedConnection createManagedConnection(Subject subject, ConnectionRequestInfo info) {
        return new ProcessManagedConnection(adapter.ports());
    }

    @Override
    public ManagedConnection matchManagedConnections(
            @SuppressWarnings("rawtypes") Set connections, Subject subject, ConnectionRequestInfo info) {
        for (Object each : connections) {
            if (each instanceof ProcessManagedConnection connection) {
                return connection;
            }
        }
        return null;
    }

    @Override
    public void setLogWriter(PrintWriter out) {
        logWriter = out;
    }

    @Override
    public PrintWriter getLogWriter() {
        return logWriter;
    }

    @Override
    public ResourceAdapter getResourceAdapter() {
        return adapter;
    }

    @Override
    public void setResourceAdapter(ResourceAdapter resourceAdapter) {
        adapter = (ProcessResourceAdapter) resourceAdapter;
    }

    /** All of one adapter's factories are alike. */
    @Override
    public boolean equals(Object other) {
        return other instanceof ProcessManagedConnectionFactory that && adapter == that.adapter;
    }

    @Override
    public int hashCode() {
        return ProcessManagedConnectionFactory.class.hashCode();
    }
}
