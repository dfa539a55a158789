/**
 * What the supervisor must still know after it was killed: an append-only, checksummed file, written by one thread
 * with one sync for all that waits. Entry point: {@code Journal}.
 */
package org.berth.process.supervisor.journal;
