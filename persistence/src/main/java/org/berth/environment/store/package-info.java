/**
 * Bindings of environments and the journal of their operations in the database. Entry point: {@link
 * org.berth.environment.store.EnvironmentRepository}. Depends on the domain, JPA and the stored values of placement.
 */
package org.berth.environment.store;
