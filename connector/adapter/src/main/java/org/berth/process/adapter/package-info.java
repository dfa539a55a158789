/**
 * The Jakarta Connectors resource adapter between the server and the supervisor program, which owns the child
 * processes. Outbound: {@link org.berth.process.adapter.ProcessConnectionFactory} gives the port {@link
 * org.berth.placement.Processes}. Inbound: {@link org.berth.process.adapter.ProcessEventListener} hears of journalled
 * facts. Entry point: {@link org.berth.process.adapter.ProcessResourceAdapter}. Depends on the domain, the protocol, the
 * Jakarta Connectors interface, jdk.net (peer credentials) and the server's statistics interface.
 */
package org.berth.process.adapter;
