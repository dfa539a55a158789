/** Bounded files under the guest root, with no link followed. Entry: {@link org.berth.guest.files.GuestFiles}. */
package org.berth.guest.files;
