/** The routes of the event stream. Entry point: {@code EventStream}. May use domain, the services and {@code org.berth.web}. */
package org.berth.event.rest;
