/**
 * The policy file of a contained environment, and what a driver that knows hosts and ports only makes of it. Entry point:
 * {@link org.berth.environment.policy.EnvironmentPolicy}. Depends on java.base and {@code org.berth.environment} only.
 */
package org.berth.environment.policy;
