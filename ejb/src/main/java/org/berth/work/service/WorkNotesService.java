package org.berth.work.service;

import jakarta.annotation.Resource;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import jakarta.transaction.Transactional;
import java.time.Clock;
import java.util.Optional;
import javax.sql.DataSource;
import org.berth.persistence.Jdbc;
import org.berth.problem.BerthException;
import org.berth.problem.ProblemCode;
import org.berth.work.Actor;
import org.berth.work.WorkChange;
import org.berth.work.WorkItem;
import org.berth.work.WorkNotes;
import org.berth.work.WorkSelection;
import org.berth.work.store.WorkRepository;

/** The queue for other features. */
@ApplicationScoped
public class WorkNotesService implements WorkNotes {
    @Resource(lookup = "java:jboss/datasources/BerthDS")
    private DataSource source;

    @Inject
    private WorkRepository items;

    @Inject
    private WorkChanges changes;

    @Inject
    private Clock clock;

    @Override
    public Optional<WorkSelection> find(String qitemId) {
        return Jdbc.with(source, connection -> items.find(connection, qitemId)).map(WorkItem::selection);
    }

    @Override
    @Transactional(value = Transactional.TxType.MANDATORY, dontRollbackOn = BerthException.class)
    public Optional<WorkSelection> lock(String qitemId) {
        return Jdbc.with(source, connection -> items.lock(connection, qitemId)).map(WorkItem::selection);
    }

    @Override
    @Transactional(value = Transactional.TxType.MANDATORY, dontRollbackOn = BerthException.class)
    public void note(String qitemId, Actor actor, String note) {
        Jdbc.with(source, connection -> {
            WorkItem item = items.lock(connection, qitemId)
                    .orElseThrow(
                            () -> new BerthException(ProblemCode.WORK_ITEM_MISSING, "There is no such work item."));
            return changes.apply(connection, item, actor, WorkChange.note(note), clock.instant());
        });
    }
}
