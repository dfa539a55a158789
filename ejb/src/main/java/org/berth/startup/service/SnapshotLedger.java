package org.berth.startup.service;

import jakarta.ejb.Stateless;
import jakarta.ejb.TransactionAttribute;
import jakarta.ejb.TransactionAttributeType;
import jakarta.inject.Inject;
import java.util.Set;
import org.berth.rig.RigSnapshot;
import org.berth.rig.store.SnapshotRepository;

/** The transaction border of snapshots. */
@Stateless
@TransactionAttribute(TransactionAttributeType.REQUIRES_NEW)
public class SnapshotLedger {
    @Inject
    private SnapshotRepository snapshots;

    public void insert(RigSnapshot snapshot, Set<String> checkpoints) {
        snapshots.insert(snapshot, checkpoints);
    }

    /** @return whether there was one */
    public boolean delete(String snapshotId) {
        return snapshots.delete(snapshotId);
    }
}
