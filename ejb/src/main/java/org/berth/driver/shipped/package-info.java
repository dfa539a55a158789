/**
 * The shipped drivers of agent programs, one class each: nothing else in Berth knows a program's arguments, files or
 * variables. A further driver is one further class. Each is found by CDI and is otherwise pure. What was measured with
 * which version stands in docs/drivers.md. Entry point: {@code org.berth.driver.AgentDriver}. May use domain.
 */
package org.berth.driver.shipped;
