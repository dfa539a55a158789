/**
 * The host policy: what the operator allows and selects on this host, as the file {@code host.yaml} says. Pure values;
 * reading the file is the service's. Entry point: {@link org.berth.host.HostPolicy}. Depends on java.base, {@code
 * org.berth.placement} and {@code org.berth.problem} only.
 */
package org.berth.host;
