/**
 * Short commands of this host, run to their end within bounds and never journalled. Entry point: {@code Commands}.
 */
package org.berth.process.supervisor.command;
