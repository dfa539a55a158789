/**
 * Contained environments: the binding of one seat to one environment, the journalled operations on it and the port to
 * its drivers. Entry points: {@link org.berth.environment.EnvironmentDriver} and {@link
 * org.berth.environment.EnvironmentRules}. Depends on java.base and {@code org.berth.problem} only.
 */
package org.berth.environment;
