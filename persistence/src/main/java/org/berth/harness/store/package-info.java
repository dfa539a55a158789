/**
 * The durable store of harness sessions: sessions, their entries, documents and the records of their tool calls. Entry
 * points: {@code SessionRepository}, {@code EntryRepository}, {@code DocumentRepository}, {@code CallRepository}.
 * Entities never leave this package. Every repository works in its caller's transaction. Rows are locked in this order: a
 * parent's session, its child's session, then what belongs to a session. Depends on {@code org.berth.harness.session},
 * {@code org.berth.placement.store} for stored values and failures, {@code org.berth.problem}, Jakarta Persistence and
 * Hibernate.
 */
package org.berth.harness.store;
