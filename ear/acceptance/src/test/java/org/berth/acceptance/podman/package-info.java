/** A real rootless Podman for the tests. Entry: {@link org.berth.acceptance.podman.PodmanEngine}. */
package org.berth.acceptance.podman;
