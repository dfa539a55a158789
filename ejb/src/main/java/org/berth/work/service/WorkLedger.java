package org.berth.work.service;

import jakarta.annotation.Resource;
import jakarta.ejb.EJBException;
import jakarta.ejb.Stateless;
import jakarta.ejb.TransactionAttribute;
import jakarta.ejb.TransactionAttributeType;
import jakarta.inject.Inject;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.berth.persistence.Jdbc;
import org.berth.placement.service.Failures;
import org.berth.placement.store.StoreFailures;
import org.berth.problem.BerthException;
import org.berth.problem.ProblemCode;
import org.berth.work.Actor;
import org.berth.work.WorkChange;
import org.berth.work.WorkItem;
import org.berth.work.WorkPriority;
import org.berth.work.WorkState;
import org.berth.work.store.WorkRepository;

/** The transaction border of changes to work items. */
@Stateless
@TransactionAttribute(TransactionAttributeType.REQUIRES_NEW)
public class WorkLedger {
    private static final int TRIES = 5;

    @Resource(lookup = "java:jboss/datasources/BerthDS")
    private DataSource source;

    @Inject
    private WorkRepository items;

    @Inject
    private WorkChanges changes;

    /** The work that goes on elsewhere; null takes the handed-off item's. */
    public record Successor(
            String qitemId,
            String destinationSession,
            String body,
            WorkPriority priority,
            List<String> tags,
            boolean nudge) {}

    /** @throws BerthException work_item_missing, or the lifecycle's refusal */
    public WorkItem change(String qitemId, Actor actor, WorkChange change, Instant now) {
        return Jdbc.with(
                source, connection -> changes.apply(connection, locked(connection, qitemId), actor, change, now));
    }

    /** @throws BerthException as {@link #change}; work_item_exists */
    public QueueService.HandedOff handOff(String qitemId, Actor actor, Successor wanted, String note, Instant now) {
        return Jdbc.with(source, connection -> {
            WorkItem item = locked(connection, qitemId);
            NewWork work = new NewWork(
                    wanted.qitemId(),
                    wanted.destinationSession(),
                    wanted.body() == null ? item.body() : wanted.body(),
                    wanted.priority() == null ? item.priority() : wanted.priority(),
                    wanted.tags() == null ? item.tags() : wanted.tags(),
                    wanted.nudge());
            WorkItem successor = QueueService.item(actor, work, qitemId, now);
            Optional<WorkItem> earlier =
                    wanted.qitemId() == null ? Optional.empty() : items.find(connection, wanted.qitemId());
            if (earlier.isPresent()) {
                WorkItem found = earlier.get();
                if (item.state() != WorkState.HANDED_OFF
                        || !qitemId.equals(found.handedOffFrom())
                        || !found.sameRequest(successor)) {
                    throw new BerthException(
                            ProblemCode.WORK_ITEM_EXISTS, "There is another work item with this qitemId.");
                }
                return new QueueService.HandedOff(item, found, true);
            }
            if (item.state() == WorkState.HANDED_OFF) {
                throw new BerthException(ProblemCode.WORK_TRANSITION_REFUSED, "The item was handed off before.");
            }
            WorkItem closed =
                    changes.apply(connection, item, actor, WorkChange.handoff(wanted.destinationSession(), note), now);
            changes.create(connection, successor, QueueService.creation(successor, actor));
            return new QueueService.HandedOff(closed, successor, false);
        });
    }

    private WorkItem locked(Connection connection, String qitemId) throws SQLException {
        return items.lock(connection, qitemId)
                .orElseThrow(() -> new BerthException(ProblemCode.WORK_ITEM_MISSING, "There is no such work item."));
    }

    /** Repeats a transaction that lost a lock. @throws BerthException its refusal, CONFLICT, STORAGE */
    static <T> T retried(Supplier<T> transaction) {
        for (int left = TRIES; ; left--) {
            try {
                return transaction.get();
            } catch (EJBException e) {
                BerthException refusal = Failures.unwrap(e);
                if (refusal.code() != ProblemCode.INTERNAL) {
                    throw refusal;
                }
                if (!StoreFailures.retryable(e)) {
                    throw new BerthException(
                            ProblemCode.STORAGE, "the database refused the change; nothing was recorded", e);
                }
                if (left <= 1) {
                    throw new BerthException(
                            ProblemCode.CONFLICT, "the item is being changed by others; read it and try again", e);
                }
            }
        }
    }
}
