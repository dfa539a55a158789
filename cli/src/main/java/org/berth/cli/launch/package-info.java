/** One launch, of a command or of an agent, from admission to cleanup. Entry point: {@code Run}. May use {@code api} and {@code stream}. */
package org.berth.cli.launch;
