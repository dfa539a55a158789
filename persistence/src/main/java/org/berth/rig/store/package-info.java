/**
 * The durable store of rigs, nodes, occupants and snapshots. Entry points: {@code RigRepository}, {@code
 * SnapshotRepository}. Entities never leave this package.
 * Depends on {@code org.berth.rig} and Jakarta Persistence.
 */
package org.berth.rig.store;
