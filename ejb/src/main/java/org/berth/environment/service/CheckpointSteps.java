package org.berth.environment.service;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import jakarta.transaction.Transactional;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.berth.environment.BindingRecord;
import org.berth.environment.CheckpointCapture;
import org.berth.environment.CheckpointRules;
import org.berth.environment.CheckpointSelection;
import org.berth.environment.EnvironmentBinding;
import org.berth.environment.EnvironmentCheckpoint;
import org.berth.environment.EnvironmentDriver;
import org.berth.environment.EnvironmentOperation;
import org.berth.environment.EnvironmentRules;
import org.berth.environment.GuestFile;
import org.berth.environment.NativeObservation;
import org.berth.environment.OperationState;
import org.berth.environment.ProjectionReceipt;
import org.berth.fault.FaultPoint;
import org.berth.problem.BerthException;
import org.berth.problem.ProblemCode;

/**
 * The steps of a checkpoint. What a step needs of the steps before it lies in the journal and on the disk, so that a step
 * can be run again by another server after any of them. Source: environments.md, Jakarta Batch jobs.
 */
@ApplicationScoped
@Transactional(Transactional.TxType.NOT_SUPPORTED)
public class CheckpointSteps implements CheckpointCapture {
    @Inject
    private EnvironmentReader reader;

    @Inject
    private CheckpointJournal journal;

    @Inject
    private LaunchJournal launches;

    @Inject
    private RetainedCheckpoints retained;

    @Inject
    private CheckpointFiles files;

    /** For the container, which injects. */
    public CheckpointSteps() {}

    CheckpointSteps(
            EnvironmentReader reader,
            CheckpointJournal journal,
            LaunchJournal launches,
            RetainedCheckpoints retained,
            CheckpointFiles files) {
        this.reader = reader;
        this.journal = journal;
        this.launches = launches;
        this.retained = retained;
        this.files = files;
    }

    @Override
    public String perform(Step step, String operationId, long executionId) {
        EnvironmentOperation operation = journal.begin(operationId, executionId);
        if (operation.state() == OperationState.CONFIRMED) {
            return "recorded before";
        }
        try {
            return switch (step) {
                case SELECT -> select(operation);
                case TRANSFER -> transfer(operation);
                case VERIFY -> verify(operation);
                case RECORD -> record(operation);
            };
        } catch (BerthException e) {
            journal.fail(operation, executionId, e);
            throw e;
        }
    }

    private String select(EnvironmentOperation operation) {
        BindingRecord selected = selected(operation);
        Optional<CheckpointSelection> frozen = journal.selection(operation.operationId());
        CheckpointSelection selection = frozen.orElseGet(() -> freeze(selected, operation));
        FaultPoint.CHECKPOINT_SELECTED.hit();
        GuestFile history = selection.files().getFirst();
        return history.bytes() + " bytes, " + selection.artifacts().size() + " artifacts, "
                + selection.context().size() + " files of context";
    }

    private CheckpointSelection freeze(BindingRecord selected, EnvironmentOperation operation) {
        EnvironmentBinding binding = selected.binding();
        CheckpointRequest request = CheckpointRequest.of(operation);
        reader.observe(binding, true);
        EnvironmentDriver driver = reader.driver(binding);
        GuestFile history = supported(() -> {
            NativeObservation observed = driver.nativeIdentity(binding);
            if (!request.nativeId().equals(observed.nativeId())
                    || !request.generation().equals(observed.generation())) {
                throw new BerthException(
                        ProblemCode.ENVIRONMENT_NATIVE_CHANGED, "Another native is observed than the confirmed one.");
            }
            return CheckpointRules.history(driver.checkpointFiles(binding, observed), request.nativeId());
        });
        List<EnvironmentCheckpoint.Retained> artifacts = artifacts(selected, request);
        CheckpointRules.requireBounds(artifacts, List.of());
        return journal.freeze(selected, operation, current -> {
            List<ProjectionReceipt> context = current.projection() == null
                    ? List.of()
                    : current.projection().stream()
                            .filter(each -> each.sourceFile() != null)
                            .toList();
            CheckpointRules.requireBounds(artifacts, context);
            return new CheckpointSelection(List.of(history), artifacts, context);
        });
    }

    /** The confirmed exports of the generation, each still what its receipt says. */
    private List<EnvironmentCheckpoint.Retained> artifacts(BindingRecord selected, CheckpointRequest request) {
        List<EnvironmentCheckpoint.Retained> artifacts = new ArrayList<>();
        for (Map<String, Object> receipt : journal.exports(selected, request.generation())) {
            EnvironmentCheckpoint.Retained artifact = new EnvironmentCheckpoint.Retained(
                    CheckpointRules.artifactPath(
                            selected.binding().config().guestRoot(), (String) receipt.get("guestPath")),
                    (String) receipt.get("path"),
                    (String) receipt.get("sha256"),
                    ((Number) receipt.get("bytes")).longValue(),
                    (String) receipt.get("taskId"));
            artifacts.add(artifact);
        }
        CheckpointRules.requireBounds(artifacts, List.of());
        artifacts.forEach(retained::verifyArtifact);
        return artifacts;
    }

    private String transfer(EnvironmentOperation operation) {
        BindingRecord selected = selected(operation);
        GuestFile history = frozen(operation).files().getFirst();
        ArtifactPublication publication = files.open(operation.bindingId(), operation.operationId());
        boolean there = publication.published(CheckpointFiles.HISTORY).isPresent();
        if (!there) {
            EnvironmentBinding binding = selected.binding();
            reader.observe(binding, true);
            EnvironmentDriver driver = reader.driver(binding);
            byte[] read =
                    Provider.asked(() -> driver.read(binding, binding.config().guestRoot() + "/" + history.path()));
            try (ArtifactPublication.Stage stage = publication.stage(CheckpointRules.prefix(read, history))) {
                CheckpointRules.prefix(stage.bytes(), history);
                FaultPoint.CHECKPOINT_STAGED.hit();
                stage.publish(CheckpointFiles.HISTORY);
            }
        }
        files.sync(operation.bindingId(), operation.operationId());
        FaultPoint.CHECKPOINT_TRANSFERRED.hit();
        return there ? "kept before" : history.bytes() + " bytes kept";
    }

    private String verify(EnvironmentOperation operation) {
        EnvironmentCheckpoint checkpoint = checkpoint(selected(operation), operation);
        retained.verify(checkpoint);
        retained.verifyContext(checkpoint);
        FaultPoint.CHECKPOINT_VERIFIED.hit();
        return "the history is whole and this conversation's";
    }

    private String record(EnvironmentOperation operation) {
        BindingRecord selected = selected(operation);
        journal.record(selected, operation, checkpoint(selected, operation));
        FaultPoint.CHECKPOINT_RECORDED.hit();
        return "recorded";
    }

    private EnvironmentCheckpoint checkpoint(BindingRecord selected, EnvironmentOperation operation) {
        EnvironmentBinding binding = selected.binding();
        CheckpointRequest request = CheckpointRequest.of(operation);
        CheckpointSelection selection = frozen(operation);
        String kept =
                files.history(operation.bindingId(), operation.operationId()).toString();
        String root = binding.config().guestRoot();
        return new EnvironmentCheckpoint(
                operation.operationId(),
                operation.bindingId(),
                binding.config().nodeId(),
                binding.config().seat(),
                request.generation(),
                EnvironmentRules.NATIVE_TYPE,
                request.nativeId(),
                request.resourceId(),
                root + "/work",
                root + "/native",
                selection.files().stream()
                        .map(each -> new EnvironmentCheckpoint.Retained(
                                each.path(), kept, each.sha256(), each.bytes(), null))
                        .toList(),
                selection.artifacts(),
                selection.context());
    }

    /** The binding, still with the generation, the compute and the native that were asked for. */
    private BindingRecord selected(EnvironmentOperation operation) {
        CheckpointRequest request = CheckpointRequest.of(operation);
        BindingRecord selected = reader.ours(operation.bindingId());
        CheckpointJournal.requireSelected(selected, request);
        if (!request.nativeId().equals(launches.confirmedNative(selected).nativeId())) {
            throw new BerthException(
                    ProblemCode.ENVIRONMENT_SELECTION_CHANGED, "Another native was confirmed meanwhile.");
        }
        return selected;
    }

    private CheckpointSelection frozen(EnvironmentOperation operation) {
        return journal.selection(operation.operationId())
                .orElseThrow(() -> new BerthException(
                        ProblemCode.ENVIRONMENT_CHECKPOINT_INVALID, "Nothing was selected for this checkpoint."));
    }

    private static GuestFile supported(Supplier<GuestFile> question) {
        try {
            return Provider.asked(question);
        } catch (BerthException e) {
            if (e.code() == ProblemCode.ENVIRONMENT_EFFECT_UNSUPPORTED) {
                throw new BerthException(
                        ProblemCode.ENVIRONMENT_CHECKPOINT_UNSUPPORTED,
                        "This environment's driver cannot keep a native's history.",
                        e);
            }
            throw e;
        }
    }
}
