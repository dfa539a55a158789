/**
 * The event stream: the outbox that transactions write to, and the one dispatcher that reads it for every client. Entry
 * points: {@code org.berth.event.Announcements} for features, {@link org.berth.event.service.EventFeed} for routes. May
 * use domain and persistence.
 */
package org.berth.event.service;
