package org.berth.rig;

/**
 * One stable member of a rig.
 *
 * @param memberId {@code pod.member}
 * @param seat {@code pod-member@rig}
 * @param runtime for example {@code openshell-claude} or {@code command}
 * @param cwd absolute host directory
 */
public record RigNode(
        String nodeId, String rigId, String rigName, String memberId, String seat, String runtime, String cwd) {}
