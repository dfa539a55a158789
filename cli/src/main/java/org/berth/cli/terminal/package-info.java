/** The controlling terminal and signals. Entry point: {@code Terminal}. */
package org.berth.cli.terminal;
