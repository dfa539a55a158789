package org.berth.environment.service;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import jakarta.transaction.Transactional;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.berth.environment.ArtifactContract;
import org.berth.environment.ArtifactExports;
import org.berth.environment.ArtifactReceipt;
import org.berth.environment.ArtifactRequest;
import org.berth.environment.BindingRecord;
import org.berth.environment.BindingRules;
import org.berth.environment.EnvironmentBinding;
import org.berth.environment.EnvironmentDriver;
import org.berth.environment.EnvironmentOperation;
import org.berth.environment.OperationIntent;
import org.berth.environment.OperationKind;
import org.berth.environment.OperationState;
import org.berth.environment.driver.EnvironmentFiles;
import org.berth.environment.store.EnvironmentRepository;
import org.berth.fault.FaultPoint;
import org.berth.host.service.Host;
import org.berth.json.JsonText;
import org.berth.json.StrictJson;
import org.berth.placement.CanonicalJson;
import org.berth.problem.BerthException;
import org.berth.problem.ProblemCode;
import org.berth.work.Actor;
import org.berth.work.WorkNotes;
import org.berth.work.WorkSelection;

/**
 * Brings one artifact home: verified bytes at one place of this host, a receipt, and a note on the work item, which stays
 * open. What was published before its receipt is verified and used again, even when the guest is gone. Source:
 * environments.md, Export.
 */
@ApplicationScoped
@Transactional(Transactional.TxType.NOT_SUPPORTED)
public class ExportService implements ArtifactExports {
    /** Below the state root, for bindings without an artifact root of their own. */
    private static final String DIRECTORY = "artifacts";

    @Inject
    private EnvironmentReader reader;

    @Inject
    private EnvironmentJournal journal;

    @Inject
    private EnvironmentFiles files;

    @Inject
    private WorkNotes work;

    @Inject
    private Host host;

    /** For the container, which injects. */
    public ExportService() {}

    ExportService(
            EnvironmentReader reader, EnvironmentJournal journal, EnvironmentFiles files, WorkNotes work, Host host) {
        this.reader = reader;
        this.journal = journal;
        this.files = files;
        this.work = work;
        this.host = host;
    }

    /**
     * @throws BerthException the codes of {@link ArtifactContract}, environment_binding_missing,
     *     environment_generation_changed, artifact_task_mismatch, artifact_caller_mismatch,
     *     environment_operation_changed, artifact_publication_conflict, environment_selection_changed; those of {@link
     *     EnvironmentReader#current}; the driver's
     */
    @Override
    public Map<String, Object> export(String bindingId, ArtifactRequest request, Actor actor) {
        ArtifactContract.require(request);
        BindingRecord selected = reader.ours(bindingId);
        EnvironmentBinding binding = selected.binding();
        if (binding.resource() == null || binding.config().nodeId() == null) {
            throw new BerthException(
                    ProblemCode.ENVIRONMENT_BINDING_MISSING, "An export needs a confirmed binding of a node.");
        }
        BindingRules.requireGeneration(binding, request.generation());
        WorkSelection task = work.find(request.taskId()).orElse(null);
        ArtifactReceipt.requireTask(binding, task);
        ArtifactReceipt.requireCaller(task, actor);
        journal.intend(
                selected,
                OperationIntent.of(
                        request.operationId(),
                        bindingId,
                        OperationKind.EXPORT,
                        ArtifactContract.tree(request),
                        actor.session()),
                OperationState.REQUESTED);
        FaultPoint.EXPORT_INTENT.hit();
        ArtifactPublication publication = ArtifactPublication.open(root(binding), bindingId);
        String name = request.taskId() + "-" + request.operationId() + ".json";
        Optional<byte[]> published = publication.published(name);
        if (published.isEmpty()) {
            transfer(selected, request, publication, name);
            published = publication.published(name);
        }
        require(request, published.orElseThrow(ExportService::gone));
        requireUnchanged(selected, request);
        publication.sync();
        FaultPoint.EXPORT_PUBLISHED.hit();
        Map<String, Object> receipt = ArtifactReceipt.tree(
                binding, request, actor, publication.path(name).toString());
        Map<String, Object> recorded = journal.step(store -> record(store, selected, request, actor, receipt));
        FaultPoint.EXPORT_RECORDED.hit();
        return recorded;
    }

    private void transfer(
            BindingRecord selected, ArtifactRequest request, ArtifactPublication publication, String name) {
        EnvironmentBinding binding = selected.binding();
        reader.observe(binding, true);
        EnvironmentDriver driver = reader.driver(binding);
        byte[] bytes = Provider.asked(() -> driver.read(binding, ArtifactReceipt.guestPath(binding, request)));
        try (ArtifactPublication.Stage stage = publication.stage(bytes)) {
            require(request, stage.bytes());
            requireUnchanged(selected, request);
            FaultPoint.EXPORT_STAGED.hit();
            stage.publish(name);
        }
    }

    /** The receipt of before, or {@code receipt} with the note on the work item, in one transaction. */
    private Map<String, Object> record(
            EnvironmentRepository store,
            BindingRecord selected,
            ArtifactRequest request,
            Actor actor,
            Map<String, Object> receipt) {
        BindingRecord current = store.lock(selected.bindingId()).orElse(null);
        BindingRules.requireUnchanged(selected, current, request.generation());
        requireOwner(selected, work.lock(request.taskId()).orElse(null));
        String saved = store.operation(request.operationId())
                .map(EnvironmentOperation::receipt)
                .orElse(null);
        if (saved != null) {
            return StrictJson.object(saved);
        }
        work.note(request.taskId(), actor, "artifact " + request.operationId() + " " + JsonText.write(receipt));
        store.confirm(request.operationId(), CanonicalJson.write(receipt));
        return receipt;
    }

    private void requireUnchanged(BindingRecord selected, ArtifactRequest request) {
        BindingRecord current =
                journal.read(store -> store.find(selected.bindingId())).orElse(null);
        BindingRules.requireUnchanged(selected, current, request.generation());
        requireOwner(selected, work.find(request.taskId()).orElse(null));
    }

    private static void requireOwner(BindingRecord selected, WorkSelection task) {
        if (task == null || !selected.binding().config().seat().equals(task.destinationSession())) {
            throw new BerthException(
                    ProblemCode.ENVIRONMENT_SELECTION_CHANGED, "The work item's owner changed during the export.");
        }
    }

    private static void require(ArtifactRequest request, byte[] bytes) {
        ArtifactContract.requireBytes(request, bytes);
        ArtifactContract.requireBody(request, ArtifactJson.members(bytes));
    }

    private Path root(EnvironmentBinding binding) {
        return binding.config().artifactRoot() == null
                ? host.stateRoot().resolve(DIRECTORY)
                : files.directory(binding.config().artifactRoot());
    }

    private static BerthException gone() {
        return new BerthException(
                ProblemCode.ENVIRONMENT_FILE_CHANGED, "The published artifact was taken away during its export.");
    }
}
