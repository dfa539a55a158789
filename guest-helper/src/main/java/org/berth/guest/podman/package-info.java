/** A viewer's way into a container through Podman's socket. Entry: {@link org.berth.guest.podman.ContainerStream}. */
package org.berth.guest.podman;
