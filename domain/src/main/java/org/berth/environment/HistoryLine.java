package org.berth.environment;

/**
 * What identifies one record of a history.
 *
 * @param names whether the record has a {@code sessionId}
 * @param sessionId the conversation that it names; null where {@code names} is false or what it names is no string
 * @param type the record's type; null for none
 */
public record HistoryLine(boolean names, String sessionId, String type) {}
