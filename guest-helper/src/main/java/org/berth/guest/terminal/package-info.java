/**
 * The native's terminal and those who look at it. A viewer's connection carries the terminal's bytes to the viewer as they
 * are, and {@link org.berth.guest.terminal.ViewerFrame frames} from it. Entry: {@link org.berth.guest.terminal.Terminal}.
 */
package org.berth.guest.terminal;
