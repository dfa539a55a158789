package org.berth.activity.service;

import java.time.Instant;
import org.berth.activity.HookPost;

/**
 * A post whose body has arrived.
 *
 * @param tokenHash of the presented activity grant; null when the install-wide token was proven
 */
public record HookSubmission(HookPost post, String tokenHash, Instant receivedAt) {}
