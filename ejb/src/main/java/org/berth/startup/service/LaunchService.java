package org.berth.startup.service;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import jakarta.transaction.Transactional;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.berth.activity.ActivityGrants;
import org.berth.environment.BindingRecord;
import org.berth.environment.ContextDifference;
import org.berth.environment.EnvironmentBinding;
import org.berth.environment.EnvironmentCheckpoint;
import org.berth.environment.EnvironmentDriver;
import org.berth.environment.EnvironmentOperation;
import org.berth.environment.EnvironmentRules;
import org.berth.environment.NativeObservation;
import org.berth.environment.OperationState;
import org.berth.environment.Recreation;
import org.berth.environment.service.EnvironmentReader;
import org.berth.environment.service.LaunchJournal;
import org.berth.environment.service.ProjectionService;
import org.berth.environment.service.RecreationJournal;
import org.berth.fault.FaultPoint;
import org.berth.json.StrictJson;
import org.berth.problem.BerthException;
import org.berth.problem.ProblemCode;
import org.berth.rig.Occupants;
import org.berth.rig.RigDirectory;
import org.berth.rig.RigNode;
import org.berth.startup.GuestLayout;
import org.berth.work.Actor;

/**
 * Launches the native of one bound environment, once for its compute. A launch that was saved before is reconciled with
 * what the guest shows before anything is written; a native that may run is never started a second time. Source:
 * environments.md, Operations, launch; the reference's startup.
 */
@ApplicationScoped
@Transactional(Transactional.TxType.NOT_SUPPORTED)
public class LaunchService {
    private static final long IDENTITY_NANOS = TimeUnit.SECONDS.toNanos(30);
    private static final long LOOK_EVERY_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
    private static final String OPENED_LATCH = "control/launch.json";

    @Inject
    private EnvironmentReader reader;

    @Inject
    private LaunchJournal journal;

    @Inject
    private ProjectionService projections;

    @Inject
    private LaunchPreparation preparation;

    @Inject
    private RetainedResume resumes;

    @Inject
    private RecreationJournal recreations;

    @Inject
    private ViewerService viewers;

    @Inject
    private ActivityGrants grants;

    @Inject
    private RigDirectory rigs;

    @Inject
    private Occupants occupants;

    /**
     * @throws BerthException environment_binding_missing, environment_node_missing,
     *     environment_prior_execution_unconfirmed, environment_generation_changed, environment_projection_missing,
     *     environment_projection_changed, environment_projection_source_changed, environment_coordination_invalid,
     *     environment_viewer_unconfirmed, environment_native_unconfirmed; those of {@link RetainedResume}; the driver's
     */
    public LaunchOutcome launch(String bindingId, LaunchSelection selection, Actor actor) {
        String generation = EnvironmentRules.identifier(selection.generation(), "generation");
        BindingRecord record = claimed(bindingId);
        Optional<EnvironmentOperation> saved = journal.saved(record, generation);
        saved.ifPresent(operation -> requireSameConversation(operation, selection));
        if (saved.isPresent()) {
            EnvironmentOperation operation = saved.get();
            if (operation.state() == OperationState.CONFIRMED) {
                return new LaunchOutcome(StrictJson.object(operation.receipt()), null, List.of(), null);
            }
            if (operation.state() == OperationState.REQUESTED || latchOpened(record)) {
                return reconcile(record, operation);
            }
        }
        Optional<EnvironmentCheckpoint> kept = resumes.verified(record, generation, selection.resume());
        if (kept.isPresent()) {
            resumes.claim(record, generation);
            FaultPoint.RESTORE_CLAIMED.hit();
        }
        if (saved.isEmpty()) {
            journal.requireNoExecution(record);
        }
        projections.validate(bindingId, generation);
        preparation.requireConnection(record.binding());
        ContextDifference context = kept.map(checkpoint ->
                        resumes.difference(checkpoint, reader.ours(bindingId).projection()))
                .orElse(null);
        EnvironmentOperation operation = saved.orElseGet(
                () -> journal.intend(record, generation, request(record, generation, kept), actor.session()));
        FaultPoint.LAUNCH_INTENT.hit();
        return dispatch(record, operation, new Dispatch(selection, kept, context), actor);
    }

    /**
     * That the binding can be launched as selected, before anything is written; its node is claimed by this.
     *
     * @param selection its generation may be null while none is chosen
     * @throws BerthException as {@link #launch}
     */
    public BindingRecord preflight(String bindingId, LaunchSelection selection) {
        BindingRecord record = claimed(bindingId);
        resumes.verified(record, selection.generation(), selection.resume());
        return record;
    }

    private BindingRecord claimed(String bindingId) {
        BindingRecord found = reader.ours(bindingId);
        if (found.binding().resource() == null) {
            throw new BerthException(
                    ProblemCode.ENVIRONMENT_BINDING_MISSING, 409, "The binding has no confirmed environment yet.");
        }
        SeatListeners.requireGuestListener(found.binding().config().guestBaseUrl());
        return journal.claimNode(found, node(found.binding()).nodeId());
    }

    private static void requireSameConversation(EnvironmentOperation operation, LaunchSelection selection) {
        String asked = selection.resume().token();
        if (asked != null && !asked.equals(LaunchJournal.request(operation).get("nativeId"))) {
            throw new BerthException(
                    ProblemCode.ENVIRONMENT_CHECKPOINT_IDENTITY_MISMATCH,
                    "The saved launch is of another conversation; nothing was started.");
        }
    }

    private RigNode node(EnvironmentBinding binding) {
        String nodeId = binding.config().nodeId();
        return (nodeId == null ? rigs.seat(binding.config().seat()) : rigs.node(nodeId))
                .orElseThrow(() -> new BerthException(
                        ProblemCode.ENVIRONMENT_NODE_MISSING,
                        "The seat " + binding.config().seat() + " is no node's of this host's rigs."));
    }

    private static Map<String, Object> request(
            BindingRecord record, String generation, Optional<EnvironmentCheckpoint> kept) {
        Map<String, Object> request = new LinkedHashMap<>();
        request.put("version", 1L);
        request.put("bindingId", record.bindingId());
        request.put("nodeId", record.binding().config().nodeId());
        request.put("generation", generation);
        request.put("resourceId", record.binding().resource().id());
        request.put(
                "nativeId",
                kept.map(EnvironmentCheckpoint::nativeId)
                        .orElseGet(() -> UUID.randomUUID().toString()));
        return request;
    }

    /**
     * @param kept the conversation that goes on; empty for a fresh one
     * @param context null for a fresh one
     */
    private record Dispatch(
            LaunchSelection selection, Optional<EnvironmentCheckpoint> kept, ContextDifference context) {}

    private LaunchOutcome dispatch(
            BindingRecord record, EnvironmentOperation operation, Dispatch dispatch, Actor actor) {
        EnvironmentBinding binding = record.binding();
        String generation = dispatch.selection().generation();
        if (dispatch.kept().isPresent()) {
            resumes.stage(record, dispatch.kept().get());
            FaultPoint.RESTORE_STAGED.hit();
        }
        Map<String, Object> request = new LinkedHashMap<>(LaunchJournal.request(operation));
        ActivityGrants.Issued grant = grants.issue(
                binding.config().nodeId(), generation, binding.config().seat());
        request.put("activityGrantId", grant.grantId());
        if (!journal.revise(operation, request)) {
            throw unconfirmed("The saved launch is under way; ask again to reconcile it. No second one was made.");
        }
        FaultPoint.LAUNCH_GRANTED.hit();
        preparation.write(
                record,
                LaunchPreparation.Launch.of(
                        request, dispatch.kept(), dispatch.selection().plan()),
                grant.token(),
                actor);
        FaultPoint.LAUNCH_WRITTEN.hit();
        projections.validate(binding.bindingId(), generation);
        BindingRecord current = reader.ours(binding.bindingId());
        boolean claimed = journal.claim(
                current, operation, () -> rigs.register(binding.config().nodeId(), generation));
        if (!claimed) {
            throw unconfirmed("The saved launch is under way; ask again to reconcile it. No second one was made.");
        }
        FaultPoint.LAUNCH_CLAIMED.hit();
        EnvironmentDriver driver = reader.driver(binding);
        driver.prepare(binding);
        FaultPoint.LAUNCH_PREPARED.hit();
        String viewer = viewers.open(record, generation);
        FaultPoint.LAUNCH_VIEWED.hit();
        Map<String, Object> receipt = confirm(record, operation, request, awaited(record, request));
        return new LaunchOutcome(receipt, viewer, List.of(), dispatch.context());
    }

    /** The native of a launch that was asked for before; the latch is opened only when the guest proves it shut. */
    private LaunchOutcome reconcile(BindingRecord record, EnvironmentOperation operation) {
        Map<String, Object> request = LaunchJournal.request(operation);
        if (operation.state() == OperationState.REQUESTED && !latchOpened(record)) {
            reader.driver(record.binding()).prepare(record.binding());
        }
        Map<String, Object> receipt = confirm(record, operation, request, awaited(record, request));
        return new LaunchOutcome(
                receipt,
                null,
                List.of("The identity of the launch that was saved was observed; no window was opened. Connect to it."),
                null);
    }

    private boolean latchOpened(BindingRecord record) {
        EnvironmentBinding binding = record.binding();
        reader.observe(binding, true);
        try {
            reader.driver(binding).read(binding, binding.config().guestRoot() + "/" + OPENED_LATCH);
            return true;
        } catch (BerthException e) {
            if (e.code() == ProblemCode.ENVIRONMENT_FILE_MISSING) {
                return false;
            }
            throw e;
        }
    }

    private NativeObservation awaited(BindingRecord record, Map<String, Object> request) {
        long deadline = System.nanoTime() + IDENTITY_NANOS;
        EnvironmentDriver driver = reader.driver(record.binding());
        while (true) {
            try {
                return driver.nativeIdentity(record.binding());
            } catch (BerthException e) {
                if (System.nanoTime() - deadline > 0) {
                    throw new BerthException(
                            ProblemCode.ENVIRONMENT_NATIVE_UNCONFIRMED,
                            "The native of conversation " + request.get("nativeId")
                                    + " was not observed within 30 s; nothing was started again.",
                            e);
                }
            }
            LockSupport.parkNanos(LOOK_EVERY_NANOS);
        }
    }

    private Map<String, Object> confirm(
            BindingRecord record,
            EnvironmentOperation operation,
            Map<String, Object> request,
            NativeObservation observed) {
        if (!observed.nativeId().equals(request.get("nativeId"))
                || !observed.generation().equals(request.get("generation"))) {
            throw unconfirmed("The guest shows another native than the saved launch; nothing was replaced.");
        }
        String root = record.binding().config().guestRoot();
        Map<String, Object> receipt = new LinkedHashMap<>(request);
        receipt.put("nativeType", EnvironmentRules.NATIVE_TYPE);
        receipt.put("destinationCwd", root + "/" + GuestLayout.WORK);
        receipt.put("nativeState", root + "/" + GuestLayout.NATIVE);
        Optional<Recreation> recreation = recreations.present(record);
        receipt.put("checkpoint", recreation.map(Recreation::checkpointId).orElse(null));
        receipt.put(
                "predecessorResourceId",
                recreation.map(Recreation::predecessorResourceId).orElse(null));
        journal.confirm(operation, receipt);
        occupants.identify(
                record.binding().config().nodeId(),
                (String) request.get("generation"),
                null,
                EnvironmentRules.NATIVE_TYPE,
                observed.nativeId());
        FaultPoint.LAUNCH_RECORDED.hit();
        return receipt;
    }

    private static BerthException unconfirmed(String sentence) {
        return new BerthException(ProblemCode.ENVIRONMENT_NATIVE_UNCONFIRMED, sentence);
    }
}
