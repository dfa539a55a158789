package org.berth.retention.service;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.Any;
import jakarta.enterprise.inject.Instance;
import jakarta.inject.Inject;
import java.nio.charset.StandardCharsets;
import org.berth.environment.EnvironmentCheckpoint;
import org.berth.environment.EnvironmentCheckpoints;
import org.berth.environment.EnvironmentOperation;
import org.berth.environment.OperationKind;
import org.berth.environment.store.ExpiredOperations;
import org.berth.json.StrictJson;
import org.berth.placement.CanonicalJson;
import org.berth.retention.RetentionHolds;
import org.berth.retention.RetentionReferences;

/** The checkpoints that are retained; one that was removed holds nothing. */
@ApplicationScoped
public class CheckpointReferences implements RetentionReferences {
    /** Source: the reference's id of a checkpoint's selection. */
    private static final String SELECTION = "selection-";

    private static final int DIGITS = 48;

    @Inject
    private ExpiredOperations operations;

    @Inject
    @Any
    private Instance<EnvironmentCheckpoints> checkpoints;

    @Override
    public void addTo(RetentionHolds.Builder holds) {
        operations.confirmed(OperationKind.CHECKPOINT).stream()
                .filter(each -> each.receipt() != null)
                .filter(this::retained)
                .map(each -> EnvironmentCheckpoint.of(StrictJson.object(each.receipt())))
                .forEach(each -> holds.checkpoint(each, selection(each.checkpointId())));
    }

    private boolean retained(EnvironmentOperation operation) {
        return checkpoints.isUnsatisfied()
                || checkpoints.get().find(operation.operationId()).isPresent();
    }

    private static String selection(String checkpointId) {
        return SELECTION
                + CanonicalJson.sha256(checkpointId.getBytes(StandardCharsets.UTF_8))
                        .substring(0, DIGITS);
    }
}
