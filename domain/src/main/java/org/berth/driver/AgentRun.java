package org.berth.driver;

/**
 * What one run is asked to do.
 *
 * @param profile the policy's
 * @param prompt UTF-8 text; null only in a window
 * @param conversationId a UUID, derived from the session; null for a run without a session
 * @param resume continue that conversation instead of beginning it
 */
public record AgentRun(String profile, String prompt, String conversationId, boolean resume) {}
