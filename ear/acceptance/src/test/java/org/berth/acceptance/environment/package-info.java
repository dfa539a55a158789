/**
 * Environments over HTTP on the assembled server. Each test of the reference that needs a provider has its counterpart
 * here, against the OpenShell double. Entry point: {@code EnvironmentWorld}.
 */
package org.berth.acceptance.environment;
