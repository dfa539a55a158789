/** The Linux calls that the helper needs and the JDK lacks. Entry: {@link org.berth.guest.os.Handle}. java.base only. */
package org.berth.guest.os;
