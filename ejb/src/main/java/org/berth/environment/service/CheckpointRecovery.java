package org.berth.environment.service;

import jakarta.annotation.PostConstruct;
import jakarta.annotation.Resource;
import jakarta.ejb.Singleton;
import jakarta.ejb.Startup;
import jakarta.ejb.Timeout;
import jakarta.ejb.Timer;
import jakarta.ejb.TimerConfig;
import jakarta.ejb.TimerService;
import jakarta.ejb.TransactionAttribute;
import jakarta.ejb.TransactionAttributeType;
import jakarta.inject.Inject;
import java.lang.management.ManagementFactory;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.berth.environment.EnvironmentOperation;
import org.berth.environment.OperationKind;
import org.berth.environment.OperationState;
import org.berth.host.service.Host;
import org.berth.persistence.BatchRecords;

/**
 * Takes up what an ended server of this host left: its batch executions are marked failed before anybody asks for them,
 * captures that had not been refused go on where they were, and bytes that nobody needs are removed.
 */
@Singleton
@Startup
@TransactionAttribute(TransactionAttributeType.NOT_SUPPORTED)
public class CheckpointRecovery {
    private static final Logger LOG = Logger.getLogger(CheckpointRecovery.class.getName());

    @Resource
    private TimerService timers;

    @Inject
    private BatchRecords records;

    @Inject
    private Host host;

    @Inject
    private EnvironmentJournal journal;

    @Inject
    private CheckpointService checkpoints;

    @Inject
    private CheckpointFiles files;

    @PostConstruct
    void start() {
        try {
            Instant started =
                    Instant.ofEpochMilli(ManagementFactory.getRuntimeMXBean().getStartTime());
            int orphans = records.failOrphans(host.hostId(), started, journal.now());
            if (orphans > 0) {
                LOG.info("Marked failed: " + orphans + " batch executions that the server before left open");
            }
        } catch (SQLException e) {
            LOG.log(Level.WARNING, "the batch executions of the server before cannot be marked failed", e);
        }
        timers.createSingleActionTimer(0, new TimerConfig(CheckpointJobs.JOB, false));
    }

    @Timeout
    void recover(Timer timer) {
        List<EnvironmentOperation> open =
                journal.read(store -> store.pending(host.hostId(), OperationKind.CHECKPOINT, OperationState.REQUESTED));
        for (EnvironmentOperation each : open) {
            CheckpointAttempt last = CheckpointAttempt.of(each);
            if (last == null || !last.failed()) {
                goOn(each);
            }
        }
        try {
            files.sweep(this::isRemoved);
        } catch (RuntimeException e) {
            LOG.log(Level.WARNING, "the directory of checkpoints cannot be swept; it is tried at the next start", e);
        }
    }

    private void goOn(EnvironmentOperation operation) {
        try {
            LOG.info("The capture of checkpoint " + operation.operationId() + " goes on as execution "
                    + checkpoints.goOn(operation));
        } catch (RuntimeException e) {
            LOG.log(Level.WARNING, "the capture of checkpoint " + operation.operationId() + " cannot go on", e);
        }
    }

    private boolean isRemoved(String bindingId, String checkpointId) {
        return journal.read(store -> store.operation(checkpointId))
                .filter(each -> each.bindingId().equals(bindingId) && CheckpointArchive.isRemoved(each))
                .isPresent();
    }
}
