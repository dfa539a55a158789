/**
 * What the supervisor keeps open for contained environments: the helper's control line, relays, the forward proxy and
 * the way of a viewer. Decisions are made on the loop, files and sockets are made on one thread of this package, and
 * relays and proxy carry their bytes on virtual threads; none of these exists while no channel is open. Entry point:
 * {@code Channels}.
 */
package org.berth.process.supervisor.channel;
