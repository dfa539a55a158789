package org.berth.environment.service;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.Instance;
import jakarta.inject.Inject;
import jakarta.transaction.Transactional;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.berth.activity.ActivityGrants;
import org.berth.activity.WorkGrants;
import org.berth.environment.BindingRecord;
import org.berth.environment.BindingRules;
import org.berth.environment.EnvironmentBinding;
import org.berth.environment.EnvironmentConfig;
import org.berth.environment.EnvironmentOperation;
import org.berth.environment.EnvironmentResource;
import org.berth.environment.EnvironmentRules;
import org.berth.environment.EnvironmentTrees;
import org.berth.environment.OperationIntent;
import org.berth.environment.OperationKind;
import org.berth.environment.OperationState;
import org.berth.environment.Ownership;
import org.berth.host.service.Host;
import org.berth.json.StrictJson;
import org.berth.problem.BerthException;
import org.berth.problem.ProblemCode;
import org.berth.work.Actor;

/** Binds a seat to an environment that exists, and gives bindings up. Neither touches the environment. */
@ApplicationScoped
@Transactional(Transactional.TxType.NOT_SUPPORTED)
public class BindService {
    @Inject
    private BindingSelection selection;

    @Inject
    private EnvironmentJournal journal;

    @Inject
    private EnvironmentReader reader;

    @Inject
    private CreateService creates;

    @Inject
    private Host host;

    @Inject
    private Instance<WorkGrants> workGrants;

    @Inject
    private Instance<ActivityGrants> activityGrants;

    /** For the container, which injects. */
    public BindService() {}

    BindService(
            BindingSelection selection,
            EnvironmentJournal journal,
            EnvironmentReader reader,
            CreateService creates,
            Host host,
            Instance<WorkGrants> workGrants,
            Instance<ActivityGrants> activityGrants) {
        this.selection = selection;
        this.journal = journal;
        this.reader = reader;
        this.creates = creates;
        this.host = host;
        this.workGrants = workGrants;
        this.activityGrants = activityGrants;
    }

    /** The binding, and whether this call made it. */
    public record Attached(BindingRecord binding, boolean fresh) {}

    /**
     * Binds the exact live resource as attached. Nothing is journalled before its identity is proven.
     *
     * @param resourceId the provider's immutable id, as the caller sent it; may be null
     * @param fingerprint null when the caller expects none
     * @throws BerthException the codes of {@link BindingSelection#verified} and {@link EnvironmentJournal#bind};
     *     environment_identity_changed; the driver's
     */
    public Attached attach(
            EnvironmentConfig wanted, String operationId, String resourceId, String fingerprint, Actor actor) {
        EnvironmentConfig config = selection.verified(wanted);
        EnvironmentRules.identifier(operationId, "operationId");
        if (resourceId == null || resourceId.isEmpty()) {
            throw new BerthException(
                    ProblemCode.INVALID_ENVIRONMENT_REQUEST, "resourceId must be the provider's immutable id.");
        }
        EnvironmentResource expected = new EnvironmentResource(
                resourceId, config.placement().name(), config.placement().workspace(), "unknown", fingerprint, null);
        EnvironmentBinding candidate = new EnvironmentBinding(config, Ownership.ATTACHED, expected, null);
        EnvironmentResource observed = reader.observe(candidate, false);
        Map<String, Object> request = new LinkedHashMap<>();
        request.put("config", EnvironmentTrees.config(config));
        request.put("resourceId", resourceId);
        request.put("fingerprint", fingerprint);
        OperationIntent intent =
                OperationIntent.of(operationId, config.bindingId(), OperationKind.ATTACH, request, actor.session());
        BindingRecord record = new BindingRecord(
                new EnvironmentBinding(config, Ownership.ATTACHED, null, null),
                UUID.randomUUID().toString(),
                host.hostId(),
                true,
                null,
                journal.now());
        return journal.step(store -> {
            EnvironmentOperation operation = journal.bind(store, record, intent);
            boolean fresh = operation.state() != OperationState.CONFIRMED;
            return new Attached(journal.bound(store, operation, observed), fresh);
        });
    }

    /**
     * Gives a binding up and revokes the grants that Berth issued for it. Its journal stays. A create that was asked for
     * and never observed is given up with it once a complete listing proves that it made nothing; it is never repeated.
     *
     * @throws BerthException environment_binding_missing; environment_binding_exists while it owns an environment that is
     *     not proven deleted; environment_create_unconfirmed, environment_listing_incomplete while its create may have
     *     made one; the driver's
     */
    public void unbind(String bindingId) {
        BindingRecord record = reader.ours(bindingId);
        BindingRules.openCreate(record, reader.operations(record)).ifPresent(create -> giveUp(record, create));
        List<EnvironmentOperation> operations = reader.operations(record);
        BindingRules.requireReleasable(record, operations);
        revoke(record, operations);
        journal.step(store -> {
            BindingRecord current = store.lock(bindingId).orElse(null);
            BindingRules.requireUnchanged(record, current, null);
            BindingRules.requireReleasable(current, store.journal(current));
            store.delete(bindingId);
            return null;
        });
    }

    private void giveUp(BindingRecord record, EnvironmentOperation create) {
        Instant claimed =
                journal.read(store -> store.changedAt(create.operationId())).orElse(create.createdAt());
        BindingRules.requireSettled(
                creates.underWay(create.operationId()) ? Duration.ZERO : Duration.between(claimed, journal.now()));
        BindingRules.requireNeverMade(
                create,
                Provider.asked(() ->
                        reader.driver(record.binding()).list(record.binding().placement())));
        journal.step(store -> {
            BindingRules.requireUnchanged(record, store.lock(record.bindingId()).orElse(null), null);
            return store.refuse(create.operationId(), ProblemCode.ENVIRONMENT_CREATE_UNCONFIRMED.wire());
        });
    }

    private void revoke(BindingRecord record, List<EnvironmentOperation> operations) {
        if (workGrants.isResolvable()) {
            workGrants.get().revoke(LaunchJournal.workGrant(record.bindingId()), "unbound");
        }
        if (activityGrants.isResolvable()) {
            operations.stream()
                    .filter(each -> each.kind() == OperationKind.LAUNCH)
                    .map(each -> StrictJson.object(each.request()).get("activityGrantId"))
                    .filter(String.class::isInstance)
                    .forEach(grant -> activityGrants.get().revoke((String) grant, "unbound"));
        }
    }
}
