/**
 * Launches in containers, as pure records and rules: what a container is made of ({@link
 * org.berth.container.ContainerPlan}), which directories it sees, who it is, and how its end is read. Uses
 * org.berth.placement and org.berth.problem only. Source: placement.md, Container backend.
 */
package org.berth.container;
