/**
 * Drivers of agent programs, as data: how a program is run in each profile, which private home, login files and
 * configuration it has, and what a launch was given ({@code Delivery}). One class for each driver implements {@code
 * AgentDriver}; nothing else knows a program's formats. Entry point: {@code AgentDriver}. Depends on java.base, {@code
 * org.berth.placement} and {@code org.berth.problem} only.
 */
package org.berth.driver;
