package org.berth.environment.service;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.berth.work.Actor;
import org.berth.work.WorkNotes;
import org.berth.work.WorkSelection;

/** Work items in memory. */
final class MemoryWork implements WorkNotes {
    record Note(String qitemId, Actor actor, String text) {}

    /** What the coordinator gave the worker. */
    static final WorkSelection TASK = new WorkSelection(
            "task-one", EnvironmentFixture.COORDINATOR.session(), EnvironmentFixture.WORKER.session(), "pending", null);

    final Map<String, WorkSelection> items = new LinkedHashMap<>();
    final List<Note> notes = new ArrayList<>();

    @Override
    public Optional<WorkSelection> find(String qitemId) {
        return Optional.ofNullable(items.get(qitemId));
    }

    @Override
    public Optional<WorkSelection> lock(String qitemId) {
        return find(qitemId);
    }

    @Override
    public void note(String qitemId, Actor actor, String note) {
        notes.add(new Note(qitemId, actor, note));
    }
}
