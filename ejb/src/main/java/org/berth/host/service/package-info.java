/**
 * This host as the server sees it: state root, host id, policy file, secrets by reference. Entry point: {@link
 * org.berth.host.service.Host}. May use domain, persistence and the server's interfaces.
 */
package org.berth.host.service;
