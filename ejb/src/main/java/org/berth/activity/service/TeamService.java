package org.berth.activity.service;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.util.List;
import java.util.Optional;
import org.berth.activity.WorkScope;
import org.berth.rig.Member;
import org.berth.rig.RigDirectory;
import org.berth.rig.RigNode;
import org.berth.rig.store.RigRepository;

/** The seats that a work grant reaches. */
@ApplicationScoped
public class TeamService {
    @Inject
    private RigRepository rigs;

    @Inject
    private RigDirectory directory;

    /** In the order of the grant's rigs and of their files; a rig that is gone has no seats. */
    public List<RigNode> team(WorkScope scope) {
        return scope.rigs().stream()
                .flatMap(name -> rigs.findByName(name).stream())
                .flatMap(rig -> rigs.members(rig.rigId()).stream())
                .map(Member::node)
                .toList();
    }

    /** The scope's own node; empty when it is gone. */
    public Optional<RigNode> self(WorkScope scope) {
        return directory.seat(scope.seat());
    }
}
