package org.berth.activity;

import java.util.Optional;

/**
 * A seat's activity at one moment.
 *
 * @param stale whether the last event is too old to decide
 * @param last the event that decided, or would have; empty when none was recorded
 */
public record ActivityReading(ActivityState state, boolean stale, Optional<ActivityEvent> last) {}
