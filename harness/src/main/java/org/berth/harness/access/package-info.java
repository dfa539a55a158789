/**
 * Which directory a session works in. Entry point: {@link org.berth.harness.access.WorkingDirectory}. Uses the domain's
 * problems. The rules of the socket's directory and its peers are the connector's own.
 */
package org.berth.harness.access;
