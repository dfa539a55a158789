/**
 * The guest listener: hooks under activity grants, and nothing else. Entry point: {@link
 * org.berth.guest.web.GuestServlet}. May use the hook endpoint only.
 */
package org.berth.guest.web;
