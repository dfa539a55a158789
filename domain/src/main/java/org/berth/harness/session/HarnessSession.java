package org.berth.harness.session;

import java.time.Instant;
import java.util.Objects;

/**
 * What is kept of one session, as one snapshot. A change gives another snapshot; the store takes it only when nobody
 * stored one meanwhile.
 *
 * @param hostId the host that it runs on
 * @param cwd the absolute working directory
 * @param truncationJson the output limits, a JSON value: an object or {@code "off"}
 * @param budgetMillis how long a blocking call may wait
 * @param kernelTransport the transport's name in host.yaml; null for a local kernel
 * @param parentId the session that this one is a child of; null for none
 * @param grantRef the grant that covers the working directory; null for none
 * @param headEntryId the entry that the next one is appended to; null for the root
 * @param lastEntry the highest sequence that an entry ever had; 0 for none
 * @param outcome how it ended; null while it is open, and when nothing was said
 * @param handBackJson what the hand-back of an isolated workspace did, a JSON object; null before it and without one
 * @param version of the stored snapshot; the store's alone
 */
public record HarnessSession(
        String sessionId,
        String ownerId,
        String hostId,
        String cwd,
        String truncationJson,
        long budgetMillis,
        String kernelTransport,
        String parentId,
        WorkspaceMode workspace,
        String grantRef,
        String headEntryId,
        long lastEntry,
        SessionState state,
        String outcome,
        String handBackJson,
        Instant createdAt,
        Instant updatedAt,
        long version) {
    /** @throws IllegalArgumentException for a budget or a sequence below 0, or an outcome of an open session */
    public HarnessSession {
        Objects.requireNonNull(sessionId);
        Objects.requireNonNull(ownerId);
        Objects.requireNonNull(hostId);
        Objects.requireNonNull(cwd);
        Objects.requireNonNull(truncationJson);
        Objects.requireNonNull(workspace);
        Objects.requireNonNull(state);
        Objects.requireNonNull(createdAt);
        Objects.requireNonNull(updatedAt);
        if (budgetMillis < 0 || lastEntry < 0) {
            throw new IllegalArgumentException("neither a budget nor a sequence is below 0");
        }
        if (state == SessionState.OPEN && outcome != null) {
            throw new IllegalArgumentException("an open session has no outcome");
        }
    }

    /** The sequence of the next entry. */
    public long nextEntry() {
        return lastEntry + 1;
    }

    /** With the head moved to {@code entryId}; null goes before every entry. */
    public HarnessSession withHead(String entryId, Instant at) {
        return changed(cwd, entryId, lastEntry, state, outcome, handBackJson, at);
    }

    /**
     * With {@code entry} appended to the head, which it becomes.
     *
     * @throws IllegalArgumentException when it is another session's, not the next one, or not a child of the head
     */
    public HarnessSession withEntry(Entry entry) {
        if (!entry.sessionId().equals(sessionId)
                || entry.sequence() != nextEntry()
                || !Objects.equals(entry.parentId(), headEntryId)) {
            throw new IllegalArgumentException("the entry does not follow the head of its session");
        }
        return changed(cwd, entry.entryId(), entry.sequence(), state, outcome, handBackJson, entry.createdAt());
    }

    /** Ended; one that has ended stays as it is. @param how null when nothing is to be said */
    public HarnessSession withEnd(String how, Instant at) {
        return state == SessionState.ENDED
                ? this
                : changed(cwd, headEntryId, lastEntry, SessionState.ENDED, how, handBackJson, at);
    }

    /** With the report of its workspace's hand-back, which does not change the state. */
    public HarnessSession withHandBack(String reportJson, Instant at) {
        return changed(cwd, headEntryId, lastEntry, state, outcome, Objects.requireNonNull(reportJson), at);
    }

    /**
     * Open again, in {@code directory}; the outcome of an earlier end goes.
     *
     * @param grant the grant that covers the directory; null for none
     */
    public HarnessSession withReopening(String directory, String grant, Instant at) {
        HarnessSession open = changed(directory, headEntryId, lastEntry, SessionState.OPEN, null, handBackJson, at);
        return new HarnessSession(
                open.sessionId,
                open.ownerId,
                open.hostId,
                open.cwd,
                open.truncationJson,
                open.budgetMillis,
                open.kernelTransport,
                open.parentId,
                open.workspace,
                grant,
                open.headEntryId,
                open.lastEntry,
                open.state,
                open.outcome,
                open.handBackJson,
                open.createdAt,
                open.updatedAt,
                open.version);
    }

    private HarnessSession changed(
            String directory, String head, long last, SessionState now, String how, String handBack, Instant at) {
        return new HarnessSession(
                sessionId,
                ownerId,
                hostId,
                directory,
                truncationJson,
                budgetMillis,
                kernelTransport,
                parentId,
                workspace,
                grantRef,
                head,
                last,
                now,
                how,
                handBack,
                createdAt,
                at,
                version);
    }
}
