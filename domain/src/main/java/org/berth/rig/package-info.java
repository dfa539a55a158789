/**
 * Rigs, their nodes and seats, and the occupant generations of a seat. Entry point: {@link org.berth.rig.RigDirectory}.
 * Depends on java.base only.
 */
package org.berth.rig;
