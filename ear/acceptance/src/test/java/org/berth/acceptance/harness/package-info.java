/**
 * Sessions of the harness on the assembled server. Entry points: {@link org.berth.acceptance.harness.Session} is one over its
 * routes, {@link org.berth.acceptance.harness.SessionEventClient} hears its events. Verdicts rest on files that the commands
 * wrote and on /proc; what the server answers must agree with them.
 */
package org.berth.acceptance.harness;
