package org.berth.process.adapter;

import jakarta.resource.Referenceable;
import jakarta.resource.ResourceException;
import jakarta.resource.spi.ConnectionManager;
import java.io.Serializable;
import javax.naming.Reference;

/** What the server binds in its directory; gives handles on the processes. */
public final class ProcessConnectionFactory implements Serializable, Referenceable {
    private static final long serialVersionUID = 1L;

    private final ProcessManagedConnectionFactory factory;
    private final ConnectionManager manager;
    private Reference reference;

    ProcessConnectionFactory(ProcessManagedConnectionFactory factory, ConnectionManager manager) {
        this.factory = factory;
        this.manager = manager;
    }

    /** @throws ResourceException when the server gives no connection now */
    public ProcessConnection getConnection() throws ResourceException {
        return (ProcessConnection) manager.allocateConnection(factory, null);
    }

    @Override
    public void setReference(Reference reference) {
        this.reference = reference;
    }

    @Override
    public Reference getReference() {
        return reference;
    }
}
