package org.berth.process.protocol;

import java.time.Instant;
import java.util.List;
import org.berth.environment.ChannelOrder;
import org.berth.environment.ChannelStatus;
import org.berth.environment.CommandOrder;
import org.berth.environment.CommandOutcome;
import org.berth.placement.Capability;
import org.berth.placement.ExecutableMeasurement;
import org.berth.placement.Exit;
import org.berth.placement.FenceOutcome;
import org.berth.placement.HostMeasurement;
import org.berth.placement.InputOutcome;
import org.berth.placement.ProcessEvent;
import org.berth.placement.ProcessIdentity;
import org.berth.placement.RunnerStatus;
import org.berth.placement.ScopeObservation;
import org.berth.placement.SpawnOrder;
import org.berth.placement.SpawnOutcome;
import org.berth.placement.StopMode;
import org.berth.placement.StopOutcome;
import org.berth.placement.TerminalSize;

/**
 * One message. An order carries a correlation number that its reply repeats; notices carry 0. Every order that changes
 * something carries the attempt's nonce. The position of a type in the {@code permits} lists of {@link Order}, {@link
 * Reply} and {@link Notice} is part of {@link FrameCodec#VERSION}.
 */
public sealed interface Frame {
    /** Adapter to supervisor. */
    sealed interface Order extends Frame {}

    /** Supervisor to adapter, with the order's correlation number. */
    sealed interface Reply extends Frame {}

    /** Supervisor to adapter, unasked. */
    sealed interface Notice extends Frame {}

    // Orders. Hello is the first frame of a connection, answered by Welcome or Failed.

    record Hello(int version, String adapter) implements Order {}

    record Spawn(SpawnOrder order) implements Order {}

    /** {@code identity} may be null. */
    record Stop(String attemptKey, String nonce, StopMode mode, int graceMillis, ProcessIdentity identity)
            implements Order {}

    record Fence(String attemptKey, String nonce, long generation) implements Order {}

    /** This connection receives the attempt's output from now on, first what is unacknowledged. */
    record Receive(String attemptKey, String nonce, long generation) implements Order {}

    /** This connection receives the attempt's output no longer. No reply. */
    record Release(String attemptKey) implements Order {}

    /** Cumulative. No reply. */
    record Acknowledge(String attemptKey, String nonce, long generation, long consumedThrough) implements Order {}

    record Write(String attemptKey, String nonce, long generation, String writeId, byte[] data) implements Order {}

    record Wrote(String attemptKey, String nonce, String writeId) implements Order {}

    record CloseStdin(String attemptKey, String nonce) implements Order {}

    record Resize(String attemptKey, String nonce, long generation, TerminalSize size) implements Order {}

    record QueryStatus(String attemptKey, String nonce, ProcessIdentity identity) implements Order {}

    record QueryAll() implements Order {}

    record QueryScope(String attemptKey, Capability scope, ProcessIdentity identity) implements Order {}

    record Forget(String attemptKey, String nonce) implements Order {}

    record Measure(String path) implements Order {}

    record Probe() implements Order {}

    /** From now on this connection receives events, first every one not acknowledged. */
    record Subscribe() implements Order {}

    /** The server recorded the attempt's events up to {@code sequence}. No reply. */
    record Recorded(String attemptKey, long sequence) implements Order {}

    /** Refuse new spawns, end when the last attempt is forgotten and the last channel is closed. */
    record Retire() implements Order {}

    /** End now; {@code kill} ends every child first, and proves it. */
    record Shutdown(boolean kill) implements Order {}

    /** Runs one short command. Not journalled: lost with the supervisor. */
    record Run(CommandOrder order) implements Order {}

    /** Opens a channel, or changes an open one. */
    record OpenChannel(ChannelOrder order) implements Order {}

    record CallChannel(String channelId, byte[] request, int timeoutMillis) implements Order {}

    record QueryChannel(String channelId) implements Order {}

    record QueryChannels() implements Order {}

    record CloseChannel(String channelId) implements Order {}

    // Replies

    record Welcome(int version, String incarnation, long pid, String build, Instant startedAt) implements Reply {}

    record SpawnReply(SpawnOutcome outcome) implements Reply {}

    record StopReply(StopOutcome outcome) implements Reply {}

    record FenceReply(FenceOutcome outcome) implements Reply {}

    record InputReply(InputOutcome outcome) implements Reply {}

    record WroteReply(boolean accepted) implements Reply {}

    record StatusReply(RunnerStatus status) implements Reply {}

    record AllReply(List<RunnerStatus> statuses) implements Reply {}

    record ScopeReply(ScopeObservation observation) implements Reply {}

    record MeasureReply(ExecutableMeasurement measurement) implements Reply {}

    record ProbeReply(HostMeasurement measurement) implements Reply {}

    record Done() implements Reply {}

    /** {@code code} is the name of a ProblemCode; {@code sentence} is in words of ours. */
    record Failed(String code, String sentence) implements Reply {}

    record RunReply(CommandOutcome outcome) implements Reply {}

    record ChannelReply(byte[] reply) implements Reply {}

    /** {@code status} is null for a channel that is not open. */
    record ChannelStatusReply(ChannelStatus status) implements Reply {}

    record ChannelsReply(List<String> channelIds) implements Reply {}

    // Notices

    /** {@code stream} is the code of OutputStreamKind. EOF is a chunk of its own, without bytes. */
    record Output(
            String attemptKey, long generation, int stream, long sequence, boolean eof, boolean truncated, byte[] data)
            implements Notice {}

    /** To the attempt's receiver, once, when the exit is journalled. Independent of EOF. */
    record ExitNotice(String attemptKey, long generation, Exit exit) implements Notice {}

    /** To a replaced receiver; {@code generation} is the one in force. */
    record Fenced(String attemptKey, long generation) implements Notice {}

    record Event(ProcessEvent event) implements Notice {}
}
