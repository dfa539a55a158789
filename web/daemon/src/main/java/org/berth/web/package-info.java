/**
 * What every route of the daemon listener shares: strict JSON bodies, problems, request ids, the caller. Entry point:
 * {@link org.berth.web.DaemonApplication}. May use domain and the services.
 */
package org.berth.web;
