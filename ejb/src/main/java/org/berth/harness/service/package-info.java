/**
 * Sessions of the harness: what is recorded of them, their jobs as attempts of placement, and what their clients hear. Entry
 * points: {@link org.berth.harness.service.SessionService} and {@link org.berth.harness.service.JobService}. May use the
 * harness' rules, placement's services and the session store.
 */
package org.berth.harness.service;
