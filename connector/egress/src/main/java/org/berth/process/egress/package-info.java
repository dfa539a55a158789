/**
 * The way out of a contained environment: {@link org.berth.process.egress.Relay} carries one port, {@link
 * org.berth.process.egress.ForwardProxy} lets through a list of host and port pairs. Both serve TCP and Unix sockets with
 * virtual threads and bounded buffers. Depends on java.base only, so that the supervisor and the guest's helper can both
 * use it.
 */
package org.berth.process.egress;
