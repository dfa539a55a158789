/**
 * Launches in containers: what asks an engine, and what is recorded of it. Entry point: {@link
 * org.berth.container.service.ContainerBackend}, which attempts use by way of their own services. May use
 * org.berth.engine, the host's services, the port of host commands and the store; knows no transition of an attempt.
 * Source: placement.md, Container backend.
 */
package org.berth.container.service;
