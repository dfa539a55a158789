/**
 * The driver of rootless Podman over its Unix socket: environments made of a workload container without a network, a
 * supervisor container with relays and forward proxy, three volumes and a secret. Entry points: {@link
 * org.berth.environment.podman.PodmanDriverFactory} and, for any driver whose provider runs on Podman, {@link
 * org.berth.environment.podman.PodmanObserver}. May use domain, the host's services and the shared parts of drivers.
 */
package org.berth.environment.podman;
