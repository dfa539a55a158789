/** Requests by the reference's options and their replies. Entry: {@link org.berth.guest.request.Requests}. */
package org.berth.guest.request;
