package org.berth.work.service;

import jakarta.annotation.Resource;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import javax.sql.DataSource;
import org.berth.access.Caller;
import org.berth.persistence.GroupCommit;
import org.berth.persistence.Jdbc;
import org.berth.problem.BerthException;
import org.berth.problem.ProblemCode;
import org.berth.rig.Seats;
import org.berth.work.Actor;
import org.berth.work.WorkAction;
import org.berth.work.WorkChange;
import org.berth.work.WorkItem;
import org.berth.work.WorkState;
import org.berth.work.WorkTransition;
import org.berth.work.store.WorkFilter;
import org.berth.work.store.WorkRepository;

/** The work queue on behalf of a caller: an operator sees all of it, a seat what comes from or goes to its rig. */
@ApplicationScoped
public class QueueService {
    private static final DateTimeFormatter ID_TIME =
            DateTimeFormatter.ofPattern("yyyyMMddHHmmss").withZone(ZoneOffset.UTC);

    @Resource(lookup = "java:jboss/datasources/BerthDS")
    private DataSource source;

    @Inject
    private GroupCommit commits;

    @Inject
    private WorkRepository items;

    @Inject
    private WorkChanges changes;

    @Inject
    private WorkLedger ledger;

    @Inject
    private Clock clock;

    /** A stored item; {@code replayed} when the same request had stored it before. */
    public record Created(WorkItem item, boolean replayed) {}

    /** An item that was handed off and the one in which its work goes on. */
    public record HandedOff(WorkItem item, WorkItem successor, boolean replayed) {}

    /** Returns after the commit. @throws BerthException work_item_exists, UNAVAILABLE, STORAGE */
    public Created create(Actor actor, NewWork work) {
        WorkItem item = item(actor, work, null, now());
        return commits.commit(connection -> created(connection, item, actor, work.qitemId() != null));
    }

    private Created created(Connection connection, WorkItem item, Actor actor, boolean named) throws SQLException {
        Optional<WorkItem> earlier = named ? items.find(connection, item.qitemId()) : Optional.empty();
        if (earlier.isPresent()) {
            if (!earlier.get().sameRequest(item)) {
                throw new BerthException(ProblemCode.WORK_ITEM_EXISTS, "There is another work item with this qitemId.");
            }
            return new Created(earlier.get(), true);
        }
        changes.create(connection, item, creation(item, actor));
        return new Created(item, false);
    }

    static WorkItem item(Actor actor, NewWork work, String handedOffFrom, Instant now) {
        return new WorkItem(
                work.qitemId() == null ? newId(now) : work.qitemId(),
                actor.session(),
                work.destinationSession(),
                work.body(),
                work.priority(),
                work.tags(),
                work.nudge(),
                WorkState.PENDING,
                null,
                null,
                null,
                handedOffFrom,
                now,
                now,
                null,
                1);
    }

    static WorkTransition creation(WorkItem item, Actor actor) {
        return new WorkTransition(
                item.qitemId(),
                1,
                WorkAction.CREATE,
                null,
                WorkState.PENDING,
                actor,
                null,
                null,
                null,
                item.createdAt());
    }

    /** Rises with time, so that new rows stand together. */
    private static String newId(Instant now) {
        return "qitem-" + ID_TIME.format(now) + "-"
                + HexFormat.of().toHexDigits(ThreadLocalRandom.current().nextLong());
    }

    /** @throws BerthException work_item_missing, the lifecycle's refusal, CONFLICT when the row stays locked */
    public WorkItem change(Caller caller, Actor actor, String qitemId, WorkChange change) {
        visible(caller, qitemId);
        return WorkLedger.retried(() -> ledger.change(qitemId, actor, change, now()));
    }

    /**
     * Closes the item and gives its work to another seat, in one transaction.
     *
     * @param work what differs from the item is null
     * @throws BerthException as {@link #change}; work_item_exists when the successor's id is taken
     */
    public HandedOff handOff(Caller caller, Actor actor, String qitemId, WorkLedger.Successor work, String note) {
        visible(caller, qitemId);
        return WorkLedger.retried(() -> ledger.handOff(qitemId, actor, work, note, now()));
    }

    /** @throws BerthException work_item_missing, also for an item that another rig's seat may not see */
    public WorkItem visible(Caller caller, String qitemId) {
        return Jdbc.with(source, connection -> items.find(connection, qitemId))
                .filter(item -> caller.isOperator() || concerns(item, Seats.rigOf(caller.seat())))
                .orElseThrow(() -> new BerthException(ProblemCode.WORK_ITEM_MISSING, "There is no such work item."));
    }

    private static boolean concerns(WorkItem item, String rig) {
        return Seats.rigOf(item.sourceSession()).equals(rig)
                || Seats.rigOf(item.destinationSession()).equals(rig);
    }

    /** Newest first; a seat sees its own rig's. @throws BerthException work_item_missing for the cursor */
    public List<WorkItem> page(Caller caller, QueueQuery query) {
        WorkFilter filter = query.filter(query.after() == null ? null : visible(caller, query.after()));
        WorkFilter allowed = caller.isOperator() ? filter : filter.inRig(Seats.rigOf(caller.seat()));
        return Jdbc.with(source, connection -> items.page(connection, allowed));
    }

    /** In order, from {@code after + 1} on. @throws BerthException work_item_missing */
    public List<WorkTransition> transitions(Caller caller, String qitemId, int after, int limit) {
        visible(caller, qitemId);
        return Jdbc.with(source, connection -> items.transitions(connection, qitemId, after, limit));
    }

    private Instant now() {
        return clock.instant().truncatedTo(ChronoUnit.MICROS);
    }
}
