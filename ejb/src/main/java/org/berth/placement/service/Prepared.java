package org.berth.placement.service;

import java.util.List;
import org.berth.placement.Attempt;

/**
 * What a prepare came to.
 *
 * @param created false when an earlier request with the same key already recorded it
 * @param notices advisory words for the caller, such as LOGIN_REQUIRED; never a refusal
 */
public record Prepared(Attempt attempt, boolean created, List<String> notices) {}
