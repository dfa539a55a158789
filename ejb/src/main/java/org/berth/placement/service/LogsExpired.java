package org.berth.placement.service;

import java.time.Instant;

/** The retention of logs removes what nobody wrote since {@code oldest}; whoever keeps output elsewhere does the same. */
public record LogsExpired(Instant oldest) {}
