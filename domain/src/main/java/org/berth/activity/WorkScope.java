package org.berth.activity;

import java.util.List;
import org.berth.placement.CanonicalJson;
import org.berth.work.Actor;
import org.berth.work.WorkSelection;

/** What a work grant reaches: its own seat, and the seats of its rigs. */
public record WorkScope(String grantName, String seat, List<String> rigs) {
    public WorkScope {
        rigs = List.copyOf(rigs);
    }

    public static WorkScope of(WorkGrant grant) {
        return new WorkScope(grant.name(), grant.seat(), grant.rigs());
    }

    /** The grant as work records it. Source: the environment reference's test of its MCP export: principal. */
    public Actor actor() {
        return new Actor(seat, Actor.PRINCIPAL, "{\"source\":\"file\",\"id\":" + CanonicalJson.write(grantName) + "}");
    }

    /** Whether {@code seat}, as {@code member@rig}, is its own or a team mate's. */
    public boolean reaches(String other) {
        int at = other.lastIndexOf('@');
        return other.equals(seat) || at > 0 && rigs.contains(other.substring(at + 1));
    }

    /** An item between its own seat and one within reach. */
    public boolean sees(WorkSelection item) {
        return concerns(item) && reaches(item.sourceSession()) && reaches(item.destinationSession());
    }

    /** Whether its own seat assigned the item or has to do it. */
    public boolean concerns(WorkSelection item) {
        return seat.equals(item.sourceSession()) || seat.equals(item.destinationSession());
    }

    /** Whether its own seat has to do the item. */
    public boolean owns(WorkSelection item) {
        return seat.equals(item.destinationSession());
    }
}
