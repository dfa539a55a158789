package org.berth.placement;

import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletionStage;

/**
 * The port to the supervised processes of this host. Every answer is asynchronous and completes on a thread of the
 * implementation. A stage fails with {@link org.berth.problem.BerthException}: {@code UNAVAILABLE} when the order is
 * known never to have been sent, {@code UNCERTAIN} when it was sent and its reply was lost. No method is part of a
 * transaction, and none may be called inside one.
 */
public interface Processes {
    /** Spawns one child; the same attemptKey and nonce again answers the same child. */
    CompletionStage<SpawnOutcome> spawn(SpawnOrder order);

    /**
     * Signals the attempt's scope. {@code identity} serves a supervisor that no longer knows the attempt: it signals
     * only after the leader is identified alive.
     */
    CompletionStage<StopOutcome> stop(
            String attemptKey, String nonce, StopMode mode, int graceMillis, ProcessIdentity identity);

    /** Raises the attachment generation; older recipients are fenced before this completes. */
    CompletionStage<FenceOutcome> fence(String attemptKey, String nonce, long generation);

    /**
     * Sends the attempt's unacknowledged and later output to {@code recipient}, which replaces an earlier one of the
     * same generation. Not accepted when {@code generation} is not the one in force.
     */
    CompletionStage<FenceOutcome> receive(String attemptKey, String nonce, long generation, OutputRecipient recipient);

    /** Ends {@code recipient}'s turn without changing the generation; the spool keeps what is unacknowledged. */
    void release(String attemptKey, OutputRecipient recipient);

    /** Cumulative; ignored when the generation is not in force or the sequence was never sent. */
    void acknowledge(String attemptKey, String nonce, long generation, long consumedThrough);

    /** {@code writeId}: 32 lower-case hex digits; {@code data}: at most 65536 bytes. */
    CompletionStage<InputOutcome> write(String attemptKey, String nonce, long generation, String writeId, byte[] data);

    /** Whether this supervisor remembers having accepted the write. */
    CompletionStage<Boolean> wrote(String attemptKey, String nonce, String writeId);

    CompletionStage<InputOutcome> closeStdin(String attemptKey, String nonce);

    CompletionStage<InputOutcome> resize(String attemptKey, String nonce, long generation, TerminalSize size);

    /** Empty-handed supervisors answer from {@code identity} (which may be null) and /proc. */
    CompletionStage<RunnerStatus> status(String attemptKey, String nonce, ProcessIdentity identity);

    /** Every attempt that any supervisor of this host knows. */
    CompletionStage<List<RunnerStatus>> list();

    CompletionStage<ScopeObservation> observeScope(String attemptKey, Capability scope, ProcessIdentity identity);

    /** Drops what the supervisor keeps of an ended attempt, after its cleanup is recorded. */
    CompletionStage<Void> forget(String attemptKey, String nonce);

    /** Measures one absolute path. Fails with {@code INVALID} or {@code NOT_FOUND} when it is no readable file. */
    CompletionStage<ExecutableMeasurement> measure(String path);

    /** Measured once per supervisor by a probe child, then remembered. */
    CompletionStage<HostMeasurement> probe();

    /** The supervisors that this node is connected to. */
    List<SupervisorInfo> supervisors();

    /** One connected supervisor. */
    record SupervisorInfo(String incarnation, long pid, String build, Instant startedAt, int attempts) {}
}
