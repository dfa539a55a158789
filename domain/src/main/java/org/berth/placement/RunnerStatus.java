package org.berth.placement;

/**
 * What the supervisor observes of one attempt at one moment.
 *
 * @param attemptKey the attempt's key
 * @param nonce its private token, so that a server can match its own row
 * @param state what is known
 * @param identity null before the spawn
 * @param exit null while not ended
 * @param generation the attachment generation in force
 * @param streamsOpen a stream has not ended yet
 * @param unacknowledged chunks in the spool
 * @param spooledBytes output bytes in those chunks
 * @param lastEventSequence the attempt's newest journalled event
 */
public record RunnerStatus(
        String attemptKey,
        String nonce,
        RunnerState state,
        ProcessIdentity identity,
        Exit exit,
        long generation,
        boolean streamsOpen,
        int unacknowledged,
        long spooledBytes,
        long lastEventSequence) {}
