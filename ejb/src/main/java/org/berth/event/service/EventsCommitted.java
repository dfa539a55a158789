package org.berth.event.service;

/** A transaction with events ended: there may be some to deliver. {@code own} is whether it committed. */
record EventsCommitted(boolean own) {}
