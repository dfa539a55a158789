/**
 * What every environment driver shares: selection by gateway, the host files that callers may name, policy files, and what
 * a provider injects. Entry points: {@link org.berth.environment.driver.EnvironmentDrivers} and {@link
 * org.berth.environment.driver.EnvironmentFiles}. May use domain and the host's services.
 */
package org.berth.environment.driver;
