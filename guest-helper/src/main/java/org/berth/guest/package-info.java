/** The program inside a contained environment. Entry: {@link org.berth.guest.Guest}. Depends on java.base only. */
package org.berth.guest;
