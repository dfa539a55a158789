/**
 * The outbox of what happened. Entry point: {@code EventRepository}. Depends on {@code org.berth.persistence}.
 */
package org.berth.event.store;
