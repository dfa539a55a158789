package org.berth.container.service;

import jakarta.ejb.Stateless;
import jakarta.ejb.TransactionAttribute;
import jakarta.ejb.TransactionAttributeType;
import jakarta.inject.Inject;
import java.util.List;
import java.util.Optional;
import org.berth.container.ContainerRecord;
import org.berth.placement.store.ContainerRepository;

/** The transaction border of containers' rows. Nothing external happens inside. */
@Stateless
@TransactionAttribute(TransactionAttributeType.REQUIRES_NEW)
public class ContainerLedger {
    @Inject
    private ContainerRepository containers;

    /** Inserts or replaces the row. */
    public ContainerRecord save(ContainerRecord record) {
        return containers.save(record);
    }

    /** What is recorded of an attempt's container. */
    @TransactionAttribute(TransactionAttributeType.SUPPORTS)
    public Optional<ContainerRecord> find(String attemptId) {
        return containers.find(attemptId);
    }

    /** The containers of a host that were not proven absent. */
    @TransactionAttribute(TransactionAttributeType.SUPPORTS)
    public List<ContainerRecord> live(String hostId) {
        return containers.live(hostId);
    }
}
