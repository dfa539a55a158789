/**
 * Kills: server, supervisor, both, and each named fault point. Verdicts rest on files that the children appended and on
 * /proc; the server's records must agree with them. Each class runs servers of its own.
 */
package org.berth.acceptance.crash;
