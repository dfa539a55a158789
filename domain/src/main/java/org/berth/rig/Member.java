package org.berth.rig;

/**
 * A node with what starting it needs.
 *
 * @param agentRef where the agent's file is
 * @param profile a profile of the agent's file
 */
public record Member(RigNode node, String agentRef, String profile) {}
