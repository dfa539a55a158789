/**
 * The embedded driver: environments made of Linux namespaces on this host, each with a tree of its own and a helper that
 * dials out to the supervisor. Entry point: {@link org.berth.environment.local.LocalDriverFactory}. May use domain, the
 * host's services, the shared parts of drivers, and the gateways to the supervisor.
 */
package org.berth.environment.local;
