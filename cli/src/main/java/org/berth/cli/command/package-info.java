/** The commands, one class each. Entry point: {@code Commands}. May use every other package of the program. */
package org.berth.cli.command;
