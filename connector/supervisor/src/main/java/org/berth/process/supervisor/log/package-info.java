/**
 * Writes the output of attempts whose recipient is a log, on one thread. The files' format and their reader are {@link
 * org.berth.process.protocol.LogFiles}. Entry point: {@code AttemptLog}.
 */
package org.berth.process.supervisor.log;
