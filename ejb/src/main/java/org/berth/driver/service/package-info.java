/**
 * The drivers of agent programs that this server has. Entry point: {@code DriverCatalogue}. May use the domain.
 */
package org.berth.driver.service;
