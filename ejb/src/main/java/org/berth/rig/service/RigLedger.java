package org.berth.rig.service;

import jakarta.ejb.Stateless;
import jakarta.ejb.TransactionAttribute;
import jakarta.ejb.TransactionAttributeType;
import jakarta.inject.Inject;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.berth.event.Announcement;
import org.berth.event.Announcements;
import org.berth.rig.Member;
import org.berth.rig.Rig;
import org.berth.rig.store.RigRepository;

/** The transaction border of rigs. */
@Stateless
@TransactionAttribute(TransactionAttributeType.REQUIRES_NEW)
public class RigLedger {
    @Inject
    private RigRepository rigs;

    @Inject
    private Announcements announcements;

    /** Fails when the name or a seat is taken. */
    public void insert(Rig rig, List<Member> members) {
        rigs.insert(rig, members);
        announce("rig.created", rig);
    }

    /** @return whether there was one */
    public boolean delete(Rig rig) {
        boolean deleted = rigs.delete(rig.rigId());
        if (deleted) {
            announce("rig.deleted", rig);
        }
        return deleted;
    }

    private void announce(String type, Rig rig) {
        Map<String, Object> data = new LinkedHashMap<>();
        data.put("rigId", rig.rigId());
        data.put("name", rig.name());
        announcements.announce(new Announcement(type, List.of(rig.name()), data));
    }
}
