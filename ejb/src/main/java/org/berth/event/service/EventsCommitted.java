package org.berth.event.service;

/** A transaction with events ended: there may be some to deliver, also those that a rolled back one held back. */
record EventsCommitted() {}
