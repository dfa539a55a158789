/**
 * The durable store of placement: attempts, their evidence, grants and the host's identity. Entry point: {@code
 * AttemptRepository}. Entities never leave this package; repositories take and give the records of {@code
 * org.berth.placement}. Every repository works in its caller's transaction. Depends on {@code org.berth.placement},
 * {@code org.berth.problem}, Jakarta Persistence, JSON-P and Hibernate's constraint names.
 */
package org.berth.placement.store;
