/**
 * Rigs and the occupants of their seats: reading rig files, storing and deleting rigs, reserving and registering
 * generations. Entry points: {@link org.berth.rig.service.RigService} for routes, {@code org.berth.rig.RigDirectory} for
 * other features. May use domain and persistence.
 */
package org.berth.rig.service;
