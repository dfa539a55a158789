/**
 * The removal of what the host's retention is over for. Entry points: {@link
 * org.berth.retention.service.RetentionService} for the job, {@link org.berth.retention.service.RetentionTimer} for its
 * schedule. May use domain, persistence and the services of the records that it removes.
 */
package org.berth.retention.service;
