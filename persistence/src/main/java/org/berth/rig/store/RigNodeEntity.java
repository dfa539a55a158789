package org.berth.rig.store;

import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import org.berth.rig.Member;
import org.berth.rig.RigNode;

/** The row of one node; never changed. */
@Entity
@Table(name = "rig_nodes")
class RigNodeEntity {
    @Id
    @Column(name = "node_id")
    String nodeId;

    @Column(name = "rig_id", updatable = false)
    String rigId;

    @Column(name = "position", updatable = false)
    int position;

    @Column(name = "rig_name", updatable = false)
    String rigName;

    @Column(name = "member_id", updatable = false)
    String memberId;

    @Column(name = "seat", updatable = false)
    String seat;

    @Column(name = "agent_ref", updatable = false)
    String agentRef;

    @Column(name = "runtime", updatable = false)
    String runtime;

    @Column(name = "profile", updatable = false)
    String profile;

    @Column(name = "cwd", updatable = false)
    String cwd;

    protected RigNodeEntity() {}

    static RigNodeEntity of(Member member, int position) {
        RigNodeEntity row = new RigNodeEntity();
        RigNode node = member.node();
        row.nodeId = node.nodeId();
        row.rigId = node.rigId();
        row.position = position;
        row.rigName = node.rigName();
        row.memberId = node.memberId();
        row.seat = node.seat();
        row.agentRef = member.agentRef();
        row.runtime = node.runtime();
        row.profile = member.profile();
        row.cwd = node.cwd();
        return row;
    }

    Member toMember() {
        return new Member(new RigNode(nodeId, rigId, rigName, memberId, seat, runtime, cwd), agentRef, profile);
    }
}
