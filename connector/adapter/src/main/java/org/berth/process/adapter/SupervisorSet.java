package org.berth.process.adapter;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.stream.Stream;
import org.berth.placement.RunnerStatus;
import org.berth.problem.BerthException;

/**
 * The supervisors of this host and which of them has which attempt and channel. A route stays while its supervisor is away, so that
 * no order ever goes to a supervisor that would answer for another one's attempt.
 */
final class SupervisorSet {
    private final Map<String, SupervisorSlot> slots = new ConcurrentSkipListMap<>();
    private final Map<String, SupervisorSlot> routes = new ConcurrentHashMap<>();
    private final Map<String, SupervisorSlot> channelRoutes = new ConcurrentHashMap<>();
    private volatile SupervisorSlot own;
    private volatile boolean surveyed;

    void add(SupervisorSlot slot) {
        slots.put(slot.build, slot);
        if (slot.own) {
            own = slot;
        }
    }

    boolean has(String build) {
        return slots.containsKey(build);
    }

    SupervisorSlot slot(String build) {
        return slots.get(build);
    }

    List<SupervisorSlot> slots() {
        return List.copyOf(slots.values());
    }

    /** The supervisor is gone for ever; its attempts are answered for by our own one. */
    void remove(SupervisorSlot slot) {
        slots.remove(slot.build);
        routes.values().removeIf(slot::equals);
        channelRoutes.values().removeIf(slot::equals);
    }

    /** Every socket was looked at: an attempt without a route is unknown to all older supervisors. */
    void surveyed() {
        surveyed = true;
    }

    void learn(SupervisorSlot slot, List<RunnerStatus> statuses, List<String> channelIds) {
        statuses.forEach(status -> routes.put(status.attemptKey(), slot));
        channelIds.forEach(id -> channelRoutes.put(id, slot));
        slot.learnt = true;
    }

    /** The slot that a spawn goes to: where the attempt already is, else our own. */
    SupervisorSlot claim(String attemptKey) {
        SupervisorSlot target = ownSlot();
        return routes.computeIfAbsent(attemptKey, k -> target);
    }

    void forget(String attemptKey) {
        routes.remove(attemptKey);
    }

    /** @throws BerthException UNAVAILABLE when its supervisor is not connected */
    SupervisorClient clientFor(String attemptKey) {
        SupervisorSlot slot = routes.get(attemptKey);
        return connected(slot == null ? answeringForUnknown() : slot);
    }

    /** The slot that a channel is opened at: where it already is, else our own. */
    SupervisorSlot claimChannel(String channelId) {
        SupervisorSlot target = answeringForUnknown();
        return channelRoutes.computeIfAbsent(channelId, k -> target);
    }

    /** @throws BerthException UNAVAILABLE when its supervisor is not connected */
    SupervisorClient clientForChannel(String channelId) {
        SupervisorSlot slot = channelRoutes.get(channelId);
        return connected(slot == null ? answeringForUnknown() : slot);
    }

    void forgetChannel(String channelId) {
        channelRoutes.remove(channelId);
    }

    /** Our own supervisor answers for an attempt without a route, once every other one told what it has. */
    private SupervisorSlot answeringForUnknown() {
        SupervisorSlot slot = ownSlot();
        if (slots.values().stream().anyMatch(other -> !other.own && !other.learnt)) {
            throw BerthException.unavailable("An older process supervisor did not answer yet; try again.");
        }
        return slot;
    }

    /** Null when the attempt's supervisor is not connected. */
    SupervisorClient connectedFor(String attemptKey) {
        SupervisorSlot slot = routes.getOrDefault(attemptKey, own);
        return slot == null ? null : slot.client;
    }

    SupervisorClient ownClient() {
        return connected(ownSlot());
    }

    private SupervisorSlot ownSlot() {
        SupervisorSlot slot = own;
        if (slot == null || !surveyed) {
            throw BerthException.unavailable("The process supervisors are not known yet; try again.");
        }
        return slot;
    }

    static SupervisorClient connected(SupervisorSlot slot) {
        SupervisorClient client = slot.client;
        if (client == null) {
            throw BerthException.unavailable("The process supervisor is not connected now; try again.");
        }
        return client;
    }

    /** @throws BerthException UNAVAILABLE when one of them is not connected */
    List<SupervisorClient> all() {
        ownSlot();
        return slots().stream().map(SupervisorSet::connected).toList();
    }

    Stream<SupervisorSlot> connectedSlots() {
        return slots().stream().filter(slot -> slot.client != null);
    }

    int attempts(SupervisorSlot slot) {
        return (int) routes.values().stream().filter(slot::equals).count();
    }

    long attempts() {
        return routes.values().stream().filter(slot -> slot.client != null).count();
    }
}
