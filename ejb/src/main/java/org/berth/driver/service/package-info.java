/**
 * Finds the drivers of agent programs that are deployed. Entry point: {@link org.berth.driver.service.DriverCatalogue}.
 * May use domain.
 */
package org.berth.driver.service;
