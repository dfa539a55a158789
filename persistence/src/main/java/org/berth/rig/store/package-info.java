/**
 * The durable store of rigs, nodes and occupants. Entry point: {@code RigRepository}. Entities never leave this package.
 * Depends on {@code org.berth.rig} and Jakarta Persistence.
 */
package org.berth.rig.store;
