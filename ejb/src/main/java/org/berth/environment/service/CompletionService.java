package org.berth.environment.service;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import jakarta.transaction.Transactional;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.berth.environment.BindingRecord;
import org.berth.environment.CompletionAttempt;
import org.berth.environment.CompletionHold;
import org.berth.environment.CompletionRequest;
import org.berth.environment.CompletionRules;
import org.berth.environment.CompletionSelection;
import org.berth.environment.Completions;
import org.berth.environment.EffectRequest;
import org.berth.environment.EnvironmentBinding;
import org.berth.environment.EnvironmentEffects;
import org.berth.environment.EnvironmentOperation;
import org.berth.environment.OperationIntent;
import org.berth.environment.OperationKind;
import org.berth.environment.OperationState;
import org.berth.environment.driver.BoundedFile;
import org.berth.environment.driver.EnvironmentFiles;
import org.berth.fault.FaultPoint;
import org.berth.host.service.Host;
import org.berth.json.StrictJson;
import org.berth.placement.CanonicalJson;
import org.berth.problem.BerthException;
import org.berth.work.Actor;
import org.berth.work.WorkNotes;

/**
 * Ends an execution once its selected work is done and its selected result is home. An attempt is stamped before the stop
 * is asked for, and its outcome stands on the operation, where it can be read. Source: environments.md, Operations; the
 * reference's {@code selectCompletion} and {@code checkCompletions}.
 */
@ApplicationScoped
@Transactional(Transactional.TxType.NOT_SUPPORTED)
public class CompletionService {
    private static final Logger LOG = Logger.getLogger(CompletionService.class.getName());

    @Inject
    private EnvironmentReader reader;

    @Inject
    private EnvironmentJournal journal;

    @Inject
    private EnvironmentEffects effects;

    @Inject
    private EnvironmentFiles files;

    @Inject
    private WorkNotes work;

    @Inject
    private Host host;

    @Inject
    private Clock clock;

    /** For the container, which injects. */
    public CompletionService() {}

    CompletionService(
            EnvironmentReader reader,
            EnvironmentJournal journal,
            EnvironmentEffects effects,
            EnvironmentFiles files,
            WorkNotes work,
            Host host,
            Clock clock) {
        this.reader = reader;
        this.journal = journal;
        this.effects = effects;
        this.files = files;
        this.work = work;
        this.host = host;
        this.clock = clock;
    }

    /**
     * Journals the selection, or finds the same one of before. Nothing is stopped by it.
     *
     * @throws BerthException environment_binding_missing, those of {@link CompletionRules#select},
     *     environment_operation_changed, environment_selection_changed
     */
    public CompletionSelection select(String bindingId, CompletionRequest request, Actor actor) {
        BindingRecord record = reader.ours(bindingId);
        CompletionSelection selection = CompletionRules.select(
                record.binding(),
                request,
                request.taskId() == null ? null : work.find(request.taskId()).orElse(null),
                actor.session());
        journal.intend(
                record,
                OperationIntent.of(
                        selection.operationId(),
                        bindingId,
                        OperationKind.COMPLETION,
                        selection.tree(),
                        actor.session()),
                OperationState.INTENT);
        FaultPoint.COMPLETION_SELECTED.hit();
        return selection;
    }

    /** The selection as it stands: {@code state}, {@code lastAttempt} where there was one, and what it waits for. */
    public Map<String, Object> standing(String bindingId, CompletionSelection selection) {
        EnvironmentOperation operation =
                journal.read(store -> store.operation(selection.operationId())).orElse(null);
        boolean confirmed = operation != null && operation.state() == OperationState.CONFIRMED;
        Map<String, Object> tree = selection.tree();
        tree.put("bindingId", bindingId);
        tree.put("state", confirmed ? "confirmed" : "pending");
        if (operation != null && operation.receipt() != null) {
            tree.put("lastAttempt", StrictJson.object(operation.receipt()));
        }
        if (!confirmed) {
            hold(bindingId, selection).ifPresent(hold -> tree.put("waitingFor", hold.wire()));
        }
        return tree;
    }

    /** Whether a completion of this host is open; one query. */
    public boolean anyOpen() {
        return !open().isEmpty();
    }

    /** Carries out what is eligible and due. One query when nothing is selected. */
    public Completions.Outcome check() {
        List<EnvironmentOperation> open = open();
        int attempted = 0;
        int confirmed = 0;
        for (EnvironmentOperation operation : open) {
            try {
                Optional<Boolean> done = attempt(operation);
                attempted += done.isPresent() ? 1 : 0;
                confirmed += done.orElse(false) ? 1 : 0;
            } catch (RuntimeException e) {
                LOG.log(Level.WARNING, "the completion " + operation.operationId() + " could not be checked", e);
            }
        }
        return new Completions.Outcome(open.size(), attempted, confirmed);
    }

    private List<EnvironmentOperation> open() {
        return journal.read(store -> store.pending(
                host.hostId(), OperationKind.COMPLETION, OperationState.INTENT, OperationState.REQUESTED));
    }

    /** Empty when it is not due, not eligible, or another check has it; else whether its stop is confirmed. */
    private Optional<Boolean> attempt(EnvironmentOperation operation) {
        String id = operation.operationId();
        String bindingId = operation.bindingId();
        CompletionSelection selection = CompletionSelection.of(StrictJson.object(operation.request()));
        Instant now = clock.instant();
        Map<String, Object> previous = operation.receipt() == null ? Map.of() : StrictJson.object(operation.receipt());
        if (!CompletionRules.due(CompletionAttempt.at(previous), now)
                || hold(bindingId, selection).isPresent()) {
            return Optional.empty();
        }
        String begun = CanonicalJson.write(CompletionAttempt.begun(selection, now));
        boolean mine = journal.step(
                store -> store.lock(bindingId).isPresent() && store.attempt(id, operation.receipt(), begun));
        if (!mine) {
            return Optional.empty();
        }
        FaultPoint.COMPLETION_STAMPED.hit();
        Map<String, Object> attempt = stopped(bindingId, selection, now);
        FaultPoint.COMPLETION_STOPPED.hit();
        boolean confirmed = CompletionAttempt.isConfirmed(attempt);
        if (confirmed) {
            journal.confirm(id, attempt);
        } else {
            journal.step(store -> store.note(id, OperationState.REQUESTED, CanonicalJson.write(attempt)));
        }
        FaultPoint.COMPLETION_RECORDED.hit();
        return Optional.of(confirmed);
    }

    /** The stop has one id for ever, so that it is sent once and observed from then on. */
    private Map<String, Object> stopped(String bindingId, CompletionSelection selection, Instant begun) {
        EffectRequest request = new EffectRequest(
                CompletionRules.stopOperationId(selection.operationId()),
                selection.generation(),
                selection.effect(),
                null);
        Actor actor = new Actor(selection.requestedBy(), Actor.DECLARED, null);
        try {
            Map<String, Object> effect = effects.effect(
                    bindingId, request, actor, () -> hold(bindingId, selection).isEmpty());
            return CompletionAttempt.observed(selection, effect, begun);
        } catch (BerthException e) {
            return CompletionAttempt.unconfirmed(selection, e, begun);
        } catch (RuntimeException e) {
            LOG.log(Level.WARNING, "the stop of " + selection.operationId() + " is not confirmed", e);
            return CompletionAttempt.unconfirmed(selection, null, begun);
        }
    }

    /** What stands in the way now. */
    private Optional<CompletionHold> hold(String bindingId, CompletionSelection selection) {
        BindingRecord record = journal.read(store -> store.find(bindingId)).orElse(null);
        EnvironmentOperation export = journal.read(store -> store.operation(selection.exportOperationId()))
                .orElse(null);
        Map<String, Object> receipt =
                export == null || export.receipt() == null ? Map.of() : StrictJson.object(export.receipt());
        Optional<CompletionHold> hold = CompletionRules.hold(
                selection,
                new CompletionRules.Situation(
                        record, work.find(selection.taskId()).orElse(null), export, receipt));
        if (hold.isPresent()) {
            return hold;
        }
        return stillHome(record.binding(), receipt) ? Optional.empty() : Optional.of(CompletionHold.EXPORT_CHANGED);
    }

    private boolean stillHome(EnvironmentBinding binding, Map<String, Object> receipt) {
        try {
            Path root = binding.config().artifactRoot() == null
                    ? host.stateRoot()
                    : files.directory(binding.config().artifactRoot());
            Path file = Path.of(String.valueOf(receipt.get("path"))).normalize();
            return file.startsWith(root)
                    && !file.equals(root)
                    && CompletionRules.matches(receipt, new BoundedFile(root, file).read());
        } catch (BerthException e) {
            LOG.log(Level.FINE, "an exported file is not readable", e);
            return false;
        }
    }
}
