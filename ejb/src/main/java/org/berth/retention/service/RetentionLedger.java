package org.berth.retention.service;

import jakarta.annotation.Resource;
import jakarta.ejb.Stateless;
import jakarta.ejb.TransactionAttribute;
import jakarta.ejb.TransactionAttributeType;
import jakarta.enterprise.inject.Any;
import jakarta.enterprise.inject.Instance;
import jakarta.inject.Inject;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import javax.sql.DataSource;
import org.berth.environment.BindingRecord;
import org.berth.environment.EnvironmentOperation;
import org.berth.environment.store.EnvironmentRepository;
import org.berth.environment.store.ExpiredOperations;
import org.berth.environment.store.ExpiredOperations.Over;
import org.berth.event.store.EventRepository;
import org.berth.json.StrictJson;
import org.berth.persistence.Jdbc;
import org.berth.retention.OperationRetention;
import org.berth.retention.RetentionHolds;
import org.berth.retention.RetentionReferences;

/** The transaction border of one batch of a removal. */
@Stateless
@TransactionAttribute(TransactionAttributeType.REQUIRES_NEW)
public class RetentionLedger {
    @Resource(lookup = "java:jboss/datasources/BerthDS")
    private DataSource source;

    @Inject
    private ExpiredOperations expired;

    @Inject
    private EnvironmentRepository bindings;

    @Inject
    private EventRepository events;

    private Iterable<RetentionReferences> references;

    /** For the container, which injects. */
    public RetentionLedger() {}

    RetentionLedger(
            ExpiredOperations expired, EnvironmentRepository bindings, Iterable<RetentionReferences> references) {
        this.expired = expired;
        this.bindings = bindings;
        this.references = references;
    }

    @Inject
    void setReferences(@Any Instance<RetentionReferences> found) {
        references = found;
    }

    /**
     * One batch of operations that were over.
     *
     * @param last the last one that was looked at; null at the end
     */
    public record Batch(Over last, int removed) {}

    /**
     * Looks at the next operations after {@code after} and removes those that nothing needs. The bindings' rows are held
     * meanwhile, so that no intent of theirs comes to refer to what goes.
     */
    public Batch removeOperations(Instant before, Over after, int bound, Instant now) {
        List<Over> page = expired.page(before, after, bound);
        if (page.isEmpty()) {
            return new Batch(null, 0);
        }
        Map<String, Optional<BindingRecord>> held = new TreeMap<>();
        page.forEach(each -> held.put(each.operation().bindingId(), Optional.empty()));
        held.replaceAll((id, _) -> bindings.lock(id));
        RetentionHolds holds = holds();
        List<String> gone = page.stream()
                .filter(each -> OperationRetention.removable(candidate(each, held), holds, before))
                .map(each -> each.operation().operationId())
                .toList();
        return new Batch(page.getLast(), expired.remove(gone, now));
    }

    /** @return how many, at most {@code bound} */
    public int removeEvents(Instant before, int bound) {
        return Jdbc.with(source, connection -> events.removeOlder(connection, before, bound));
    }

    private RetentionHolds holds() {
        RetentionHolds.Builder holds = new RetentionHolds.Builder();
        expired.open().forEach(each -> holds.open(each, StrictJson.object(each.request())));
        references.forEach(each -> each.addTo(holds));
        return holds.build();
    }

    private static OperationRetention.Candidate candidate(Over over, Map<String, Optional<BindingRecord>> bindings) {
        EnvironmentOperation operation = over.operation();
        return new OperationRetention.Candidate(
                operation,
                over.changedAt(),
                operation.receipt() == null ? Map.of() : StrictJson.object(operation.receipt()),
                bindings.get(operation.bindingId())
                        .filter(record -> record.incarnation().equals(over.incarnation()))
                        .map(BindingRecord::binding)
                        .orElse(null));
    }
}
