/**
 * One attempt's child while the supervisor owns it: its output, input, signals, exit and events. All of it runs on the
 * event loop. Entry point: {@code Runner}.
 */
package org.berth.process.supervisor.run;
