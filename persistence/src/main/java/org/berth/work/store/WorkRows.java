package org.berth.work.store;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import org.berth.persistence.Jdbc;
import org.berth.work.Actor;
import org.berth.work.ClosureReason;
import org.berth.work.WorkAction;
import org.berth.work.WorkItem;
import org.berth.work.WorkPriority;
import org.berth.work.WorkState;
import org.berth.work.WorkTransition;

/** Turns rows into records. Tags stand between commas; none holds one. */
final class WorkRows {
    private WorkRows() {}

    static WorkItem item(ResultSet row) throws SQLException {
        return new WorkItem(
                row.getString("qitem_id"),
                row.getString("source_session"),
                row.getString("destination_session"),
                row.getString("body"),
                WorkPriority.parse(row.getString("priority")).orElseThrow(),
                tags(row.getString("tags")),
                row.getBoolean("nudge"),
                WorkState.parse(row.getString("state")).orElseThrow(),
                reason(row),
                row.getString("closure_target"),
                row.getString("claimed_by"),
                row.getString("handed_off_from"),
                Jdbc.instant(row, "created_at"),
                Jdbc.instant(row, "updated_at"),
                Jdbc.instant(row, "closed_at"),
                row.getInt("transition_count"));
    }

    static WorkTransition transition(ResultSet row) throws SQLException {
        String from = row.getString("from_state");
        return new WorkTransition(
                row.getString("qitem_id"),
                row.getInt("sequence"),
                WorkAction.parse(row.getString("action")).orElseThrow(),
                from == null ? null : WorkState.parse(from).orElseThrow(),
                WorkState.parse(row.getString("to_state")).orElseThrow(),
                new Actor(
                        row.getString("actor_session"),
                        row.getString("identity_provenance"),
                        row.getString("identity_principal")),
                reason(row),
                row.getString("closure_target"),
                row.getString("transition_note"),
                Jdbc.instant(row, "at"));
    }

    private static ClosureReason reason(ResultSet row) throws SQLException {
        String reason = row.getString("closure_reason");
        return reason == null ? null : ClosureReason.parse(reason).orElseThrow();
    }

    static String wire(ClosureReason reason) {
        return reason == null ? null : reason.wire();
    }

    static String joined(List<String> tags) {
        return String.join(",", tags);
    }

    private static List<String> tags(String joined) {
        return joined.isEmpty() ? List.of() : List.of(joined.split(","));
    }
}
