/** The routes of the work queue. Entry point: {@code QueueResource}. May use domain, the services and {@code org.berth.web}. */
package org.berth.work.rest;
