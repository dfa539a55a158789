package org.berth.environment.service;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import jakarta.transaction.Transactional;
import java.util.Optional;
import org.berth.environment.CheckpointRules;
import org.berth.environment.EnvironmentCheckpoint;
import org.berth.environment.EnvironmentCheckpoints;
import org.berth.environment.EnvironmentOperation;
import org.berth.environment.OperationKind;
import org.berth.environment.OperationState;
import org.berth.environment.ProjectionReceipt;
import org.berth.environment.driver.EnvironmentFiles;
import org.berth.json.StrictJson;
import org.berth.placement.CanonicalJson;
import org.berth.problem.BerthException;
import org.berth.problem.ProblemCode;

/** The recorded checkpoints and the proof of their bytes. */
@ApplicationScoped
@Transactional(Transactional.TxType.NOT_SUPPORTED)
public class RetainedCheckpoints implements EnvironmentCheckpoints {
    /** The member of a receipt whose checkpoint was removed. */
    static final String REMOVED = "removedAt";

    /** Above a history lie the checkpoint's, the binding's and the checkpoints' directory. */
    private static final int HISTORY_LEVELS = 3;

    /** Above an artifact lies the binding's directory. */
    private static final int ARTIFACT_LEVELS = 1;

    @Inject
    private EnvironmentJournal journal;

    @Inject
    private EnvironmentFiles files;

    /** For the container, which injects. */
    public RetainedCheckpoints() {}

    RetainedCheckpoints(EnvironmentJournal journal, EnvironmentFiles files) {
        this.journal = journal;
        this.files = files;
    }

    @Override
    public Optional<EnvironmentCheckpoint> find(String checkpointId) {
        return journal.read(store -> store.operation(checkpointId)).flatMap(RetainedCheckpoints::recorded);
    }

    @Override
    public Optional<EnvironmentCheckpoint> newest(String bindingId) {
        return journal
                .read(store -> store.find(bindingId).map(binding -> store.journal(binding, OperationKind.CHECKPOINT)))
                .stream()
                .flatMap(operations -> operations.reversed().stream())
                .flatMap(operation -> recorded(operation).stream())
                .findFirst();
    }

    @Override
    public void verify(EnvironmentCheckpoint checkpoint) {
        history(checkpoint);
        checkpoint.artifacts().forEach(this::verifyArtifact);
    }

    /** @throws BerthException environment_checkpoint_changed */
    void verifyArtifact(EnvironmentCheckpoint.Retained artifact) {
        CheckpointFiles.verified(artifact, ARTIFACT_LEVELS);
    }

    @Override
    public byte[] history(EnvironmentCheckpoint checkpoint) {
        CheckpointRules.requireBounds(checkpoint);
        byte[] history = CheckpointFiles.verified(checkpoint.files().getFirst(), HISTORY_LEVELS);
        CheckpointRules.requireHistory(history, checkpoint.nativeId(), HistoryJson::line);
        return history;
    }

    /**
     * That every source of the context is still what was projected.
     *
     * @throws BerthException environment_checkpoint_changed
     */
    void verifyContext(EnvironmentCheckpoint checkpoint) {
        for (ProjectionReceipt each : checkpoint.context()) {
            requireSource(each);
        }
    }

    /** The checkpoint of a recorded operation that was not removed. */
    static Optional<EnvironmentCheckpoint> recorded(EnvironmentOperation operation) {
        if (operation.kind() != OperationKind.CHECKPOINT || operation.state() != OperationState.CONFIRMED) {
            return Optional.empty();
        }
        return Optional.of(StrictJson.object(operation.receipt()))
                .filter(receipt -> !receipt.containsKey(REMOVED))
                .map(EnvironmentCheckpoint::of);
    }

    private void requireSource(ProjectionReceipt file) {
        BerthException cause = null;
        try {
            if (file.sourceFile() != null
                    && CanonicalJson.sha256(files.read(file.sourceFile())).equals(file.sourceSha256())) {
                return;
            }
        } catch (BerthException e) {
            cause = e;
        }
        throw new BerthException(
                ProblemCode.ENVIRONMENT_CHECKPOINT_CHANGED,
                "The source of " + file.path() + " is missing or changed since it was projected.",
                cause);
    }
}
