/** A small agent for environments whose images cannot hold the real one. Entry point: {@code StandInAgent}. */
package org.berth.acceptance.agent;
