package org.berth.rig.service;

import jakarta.ejb.EJBException;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.Any;
import jakarta.enterprise.inject.Instance;
import jakarta.inject.Inject;
import java.nio.file.Path;
import java.time.Clock;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.berth.access.Caller;
import org.berth.host.service.Host;
import org.berth.placement.CanonicalJson;
import org.berth.problem.BerthException;
import org.berth.problem.ProblemCode;
import org.berth.rig.Member;
import org.berth.rig.Occupant;
import org.berth.rig.Rig;
import org.berth.rig.RigDirectory;
import org.berth.rig.RigHold;
import org.berth.rig.RigNode;
import org.berth.rig.RigSpec;
import org.berth.rig.Seats;
import org.berth.rig.store.OccupantRepository;
import org.berth.rig.store.RigRepository;

/** Rigs on behalf of a caller: an operator makes, sees and deletes all; a seat sees its own rig. */
@ApplicationScoped
public class RigService {
    /** Where the members of a rig without a root of its own work, below the state root. */
    private static final String RIGS = "rigs";

    private static final int OCCUPANTS = 20;

    @Inject
    private RigRepository rigs;

    @Inject
    private OccupantRepository occupants;

    @Inject
    private RigLedger ledger;

    @Inject
    private RigDirectory directory;

    @Inject
    @Any
    private Instance<RigHold> holds;

    @Inject
    private Host host;

    @Inject
    private Clock clock;

    /** A stored rig; {@code replayed} when it was there with the same file. */
    public record Made(Rig rig, List<Member> members, boolean replayed) {}

    /** A seat's reserved generation; {@code replayed} when it was reserved before. */
    public record Reserved(Occupant occupant, boolean replayed) {}

    /**
     * @param root absolute host directory of the rig's files; null for one below the state root
     * @throws BerthException FORBIDDEN, rig_exists
     */
    public Made create(Caller caller, RigSpec spec, Path root) {
        requireOperator(caller);
        Path base = root == null ? host.stateRoot().resolve(RIGS).resolve(spec.name()) : root.normalize();
        String json = CanonicalJson.write(spec.tree());
        Rig rig = new Rig(
                UUID.randomUUID().toString(),
                spec.name(),
                base.toString(),
                json,
                CanonicalJson.sha256(spec.tree()),
                caller.ownerId(),
                clock.instant().truncatedTo(ChronoUnit.MICROS));
        Optional<Made> earlier = earlier(rig);
        if (earlier.isPresent()) {
            return earlier.get();
        }
        List<Member> members = members(rig, spec, base);
        try {
            ledger.insert(rig, members);
        } catch (EJBException e) {
            // Another request may have been first.
            return earlier(rig).orElseThrow(() -> e);
        }
        return new Made(rig, members, false);
    }

    private Optional<Made> earlier(Rig rig) {
        return rigs.findByName(rig.name()).map(found -> {
            if (!found.specDigest().equals(rig.specDigest()) || !found.root().equals(rig.root())) {
                throw new BerthException(
                        ProblemCode.RIG_EXISTS, "There is another rig with the name " + rig.name() + ".");
            }
            return new Made(found, rigs.members(found.rigId()), true);
        });
    }

    private static List<Member> members(Rig rig, RigSpec spec, Path base) {
        List<Member> members = new ArrayList<>();
        for (RigSpec.Pod pod : spec.pods()) {
            for (RigSpec.Member member : pod.members()) {
                RigNode node = new RigNode(
                        UUID.randomUUID().toString(),
                        rig.rigId(),
                        rig.name(),
                        pod.id() + "." + member.id(),
                        spec.seat(pod, member),
                        member.runtime(),
                        base.resolve(member.cwd()).normalize().toString());
                members.add(new Member(node, member.agentRef(), member.profile()));
            }
        }
        return members;
    }

    /** By name, above {@code after}; null begins. */
    public List<Rig> page(Caller caller, String after, int limit) {
        if (!caller.isOperator()) {
            return rigs.findByName(Seats.rigOf(caller.seat())).stream()
                    .filter(rig -> after == null || rig.name().compareTo(after) > 0)
                    .toList();
        }
        return rigs.page(after, limit);
    }

    /** @throws BerthException rig_missing, also for another rig than the seat's own */
    public Rig visible(Caller caller, String rigId) {
        return rigs.find(rigId)
                .filter(rig -> caller.isOperator() || rig.name().equals(Seats.rigOf(caller.seat())))
                .orElseThrow(() -> new BerthException(ProblemCode.RIG_MISSING, "There is no such rig."));
    }

    /** In the rig file's order. @throws BerthException rig_missing */
    public List<Member> members(Caller caller, String rigId) {
        return rigs.members(visible(caller, rigId).rigId());
    }

    /** @throws BerthException seat_missing, also for a seat of another rig than the caller's own */
    public Member seat(Caller caller, String seat) {
        return rigs.seat(seat)
                .filter(member -> caller.isOperator() || member.node().rigName().equals(Seats.rigOf(caller.seat())))
                .orElseThrow(() -> new BerthException(ProblemCode.SEAT_MISSING, "There is no such seat."));
    }

    /** The current occupant of a node. */
    public Optional<Occupant> current(String nodeId) {
        return occupants.current(nodeId);
    }

    /** The latest occupants of a node, newest first. */
    public List<Occupant> occupants(String nodeId) {
        return occupants.newest(nodeId, OCCUPANTS);
    }

    /**
     * Reserves a generation; makes nothing stale.
     *
     * @param generation null for a new one
     * @throws BerthException seat_missing, FORBIDDEN for another seat than the caller's own
     */
    public Reserved reserve(Caller caller, String seat, String generation) {
        Member member = seat(caller, seat);
        if (!caller.isOperator() && !seat.equals(caller.seat())) {
            throw new BerthException(ProblemCode.FORBIDDEN, "This token names the seat " + caller.seat() + " only.");
        }
        String nodeId = member.node().nodeId();
        boolean replayed =
                generation != null && occupants.find(nodeId, generation).isPresent();
        String reserved = directory.reserve(nodeId, generation);
        return new Reserved(occupants.find(nodeId, reserved).orElseThrow(), replayed);
    }

    /** @throws BerthException FORBIDDEN, rig_missing, CONFLICT while a feature holds one of its nodes */
    public void delete(Caller caller, String rigId) {
        requireOperator(caller);
        Rig rig = visible(caller, rigId);
        for (Member member : rigs.members(rigId)) {
            for (RigHold hold : holds) {
                hold.holds(member.node()).ifPresent(reason -> {
                    throw BerthException.conflict(member.node().seat() + " " + reason);
                });
            }
        }
        if (!ledger.delete(rig)) {
            throw new BerthException(ProblemCode.RIG_MISSING, "There is no such rig.");
        }
    }

    private static void requireOperator(Caller caller) {
        if (!caller.isOperator()) {
            throw new BerthException(ProblemCode.FORBIDDEN, "only an operator makes and deletes rigs");
        }
    }
}
