/**
 * The durable store of bearer tokens. Entry point: {@code ApiTokenRepository}. Entities never leave this package.
 * Depends on {@code org.berth.access} and Jakarta Persistence.
 */
package org.berth.access.store;
