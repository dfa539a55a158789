/**
 * The durable store of the work queue, in plain SQL, so that many creations share a transaction's statements. Entry
 * point: {@code WorkRepository}. Depends on {@code org.berth.work} and {@code org.berth.persistence}.
 */
package org.berth.work.store;
