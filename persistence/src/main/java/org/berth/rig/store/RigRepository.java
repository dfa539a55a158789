package org.berth.rig.store;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.persistence.EntityManager;
import jakarta.persistence.LockModeType;
import jakarta.persistence.PersistenceContext;
import jakarta.persistence.TypedQuery;
import java.util.List;
import java.util.Optional;
import org.berth.rig.Member;
import org.berth.rig.Rig;

/** Stores rigs and their nodes. Writing and locking methods need the caller's transaction; reading ones do not. */
@ApplicationScoped
public class RigRepository {
    @PersistenceContext(unitName = "berth")
    private EntityManager entities;

    /** For the container, which injects the entity manager. */
    public RigRepository() {}

    /** Works on {@code entities}, whose transactions the caller begins and commits. */
    public RigRepository(EntityManager entities) {
        this.entities = entities;
    }

    /** Flushes. @throws jakarta.persistence.PersistenceException when the name or a seat is taken */
    public void insert(Rig rig, List<Member> members) {
        entities.persist(RigEntity.of(rig));
        entities.flush();
        int position = 0;
        for (Member member : members) {
            entities.persist(RigNodeEntity.of(member, position));
            position++;
        }
        entities.flush();
    }

    public Optional<Rig> find(String rigId) {
        return rigs("where r.rigId = :id")
                .setParameter("id", rigId)
                .getResultStream()
                .map(this::rig)
                .findFirst();
    }

    public Optional<Rig> findByName(String name) {
        return rigs("where r.name = :name")
                .setParameter("name", name)
                .getResultStream()
                .map(this::rig)
                .findFirst();
    }

    /** By name, above {@code after}; null begins. */
    public List<Rig> page(String after, int limit) {
        return rigs("where r.name > :after order by r.name")
                .setParameter("after", after == null ? "" : after)
                .setMaxResults(limit)
                .getResultStream()
                .map(this::rig)
                .toList();
    }

    /** In the rig file's order. */
    public List<Member> members(String rigId) {
        return members("where n.rigId = :id order by n.position", "id", rigId);
    }

    public Optional<Member> node(String nodeId) {
        return members("where n.nodeId = :id", "id", nodeId).stream().findFirst();
    }

    public Optional<Member> seat(String seat) {
        return members("where n.seat = :seat", "seat", seat).stream().findFirst();
    }

    /** Holds the node's row until the transaction ends. @return false when there is none */
    public boolean lockNode(String nodeId) {
        return entities.find(RigNodeEntity.class, nodeId, LockModeType.PESSIMISTIC_WRITE) != null;
    }

    /** The rig, its nodes and their occupants. @return whether there was one */
    public boolean delete(String rigId) {
        entities.createQuery("delete from OccupantEntity o where o.nodeId in"
                        + " (select n.nodeId from RigNodeEntity n where n.rigId = :id)")
                .setParameter("id", rigId)
                .executeUpdate();
        entities.createQuery("delete from RigNodeEntity n where n.rigId = :id")
                .setParameter("id", rigId)
                .executeUpdate();
        return entities.createQuery("delete from RigEntity r where r.rigId = :id")
                        .setParameter("id", rigId)
                        .executeUpdate()
                == 1;
    }

    private TypedQuery<RigEntity> rigs(String rest) {
        return entities.createQuery("select r from RigEntity r " + rest, RigEntity.class);
    }

    private Rig rig(RigEntity row) {
        entities.detach(row);
        return row.toRig();
    }

    private List<Member> members(String rest, String parameter, String value) {
        return entities
                .createQuery("select n from RigNodeEntity n " + rest, RigNodeEntity.class)
                .setParameter(parameter, value)
                .getResultList()
                .stream()
                .map(row -> {
                    entities.detach(row);
                    return row.toMember();
                })
                .toList();
    }
}
