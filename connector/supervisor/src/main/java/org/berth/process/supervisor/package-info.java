/**
 * The stand-alone program that owns every child. It outlives the server: children, their output and their exit codes
 * are here. Entry point: {@code Supervisor}. Depends on the domain, the protocol and java.base only.
 */
package org.berth.process.supervisor;
