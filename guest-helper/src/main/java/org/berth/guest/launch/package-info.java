/** The launch descriptor, the latch that waits for it, and the native execution. Entry: {@code Latch}. */
package org.berth.guest.launch;
