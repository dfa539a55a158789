/**
 * Which directory a session works in. Entry point: {@link org.berth.harness.access.WorkingDirectory}. Uses the domain's
 * problems. The rules of the socket's directory and its peers are carried out by the connector, and those of private files by
 * the domain; their models lie in {@code model}.
 */
package org.berth.harness.access;
