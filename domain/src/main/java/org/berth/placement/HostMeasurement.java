package org.berth.placement;

/**
 * What this host can clean, as a probe child showed.
 *
 * @param capability the strongest proven scope
 * @param exitObservation always INDEPENDENT where pidfd works
 * @param containment the mechanism ({@code bubblewrap}) when contained_tree is proven, else null
 * @param containmentReason why contained_tree is not offered, else null
 * @param stateRootIsolated whether a child is kept from reading the state root
 * @param kernel the kernel's release
 */
public record HostMeasurement(
        Capability capability,
        ExitObservation exitObservation,
        String containment,
        String containmentReason,
        boolean stateRootIsolated,
        String kernel) {}
