package org.berth.environment;

/**
 * The native execution as the guest's helper sees it.
 *
 * @param nativeId the conversation's UUID
 * @param pid in the guest's own numbering; 0 when unknown
 * @param exitCode null while it runs or when unknown
 */
public record NativeObservation(String nativeId, String generation, boolean running, long pid, Integer exitCode) {}
