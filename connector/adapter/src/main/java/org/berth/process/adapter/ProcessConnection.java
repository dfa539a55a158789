package org.berth.process.adapter;

import java.util.List;
import java.util.concurrent.CompletionStage;
import org.berth.environment.GuestChannels;
import org.berth.environment.HostCommands;
import org.berth.placement.Capability;
import org.berth.placement.ExecutableMeasurement;
import org.berth.placement.FenceOutcome;
import org.berth.placement.HostMeasurement;
import org.berth.placement.InputOutcome;
import org.berth.placement.OutputRecipient;
import org.berth.placement.ProcessIdentity;
import org.berth.placement.Processes;
import org.berth.placement.RunnerStatus;
import org.berth.placement.ScopeObservation;
import org.berth.placement.SpawnOrder;
import org.berth.placement.SpawnOutcome;
import org.berth.placement.StopMode;
import org.berth.placement.StopOutcome;
import org.berth.placement.TerminalSize;
import org.berth.problem.BerthException;

/**
 * A light handle on the shared connections to the supervisors. It may be closed as soon as the calls returned: their
 * stages still complete, and a recipient still receives. Safe for any thread.
 */
public final class ProcessConnection implements Processes, AutoCloseable {
    private volatile Ports ports;
    private volatile ProcessManagedConnection managed;

    ProcessConnection(ProcessManagedConnection managed, Ports ports) {
        this.managed = managed;
        this.ports = ports;
    }

    /** Gives the handle back; closing again does nothing. */
    @Override
    public void close() {
        ProcessManagedConnection holder = managed;
        if (holder != null) {
            holder.closed(this);
        }
    }

    /** Moves this handle to another managed connection; null ends it. */
    void attach(ProcessManagedConnection holder) {
        managed = holder;
        if (holder == null) {
            ports = null;
        }
    }

    /** Commands of this host. @throws BerthException UNAVAILABLE after {@link #close} */
    public HostCommands commands() {
        return ports().commands();
    }

    /** Channels of contained environments. @throws BerthException UNAVAILABLE after {@link #close} */
    public GuestChannels channels() {
        return ports().channels();
    }

    private Processes open() {
        return ports().processes();
    }

    private Ports ports() {
        Ports current = ports;
        if (current == null) {
            throw BerthException.unavailable("This connection to the processes is closed.");
        }
        return current;
    }

    @Override
    public CompletionStage<SpawnOutcome> spawn(SpawnOrder order) {
        return open().spawn(order);
    }

    @Override
    public CompletionStage<StopOutcome> stop(
            String attemptKey, String nonce, StopMode mode, int graceMillis, ProcessIdentity identity) {
        return open().stop(attemptKey, nonce, mode, graceMillis, identity);
    }

    @Override
    public CompletionStage<FenceOutcome> fence(String attemptKey, String nonce, long generation) {
        return open().fence(attemptKey, nonce, generation);
    }

    @Override
    public CompletionStage<FenceOutcome> receive(
            String attemptKey, String nonce, long generation, OutputRecipient recipient) {
        return open().receive(attemptKey, nonce, generation, recipient);
    }

    @Override
    public void release(String attemptKey, OutputRecipient recipient) {
        open().release(attemptKey, recipient);
    }

    @Override
    public void acknowledge(String attemptKey, String nonce, long generation, long consumedThrough) {
        open().acknowledge(attemptKey, nonce, generation, consumedThrough);
    }

    @Override
    public CompletionStage<InputOutcome> write(
            String attemptKey, String nonce, long generation, String writeId, byte[] data) {
        return open().write(attemptKey, nonce, generation, writeId, data);
    }

    @Override
    public CompletionStage<Boolean> wrote(String attemptKey, String nonce, String writeId) {
        return open().wrote(attemptKey, nonce, writeId);
    }

    @Override
    public CompletionStage<InputOutcome> closeStdin(String attemptKey, String nonce) {
        return open().closeStdin(attemptKey, nonce);
    }

    @Override
    public CompletionStage<InputOutcome> resize(String attemptKey, String nonce, long generation, TerminalSize size) {
        return open().resize(attemptKey, nonce, generation, size);
    }

    @Override
    public CompletionStage<RunnerStatus> status(String attemptKey, String nonce, ProcessIdentity identity) {
        return open().status(attemptKey, nonce, identity);
    }

    @Override
    public CompletionStage<List<RunnerStatus>> list() {
        return open().list();
    }

    @Override
    public CompletionStage<ScopeObservation> observeScope(
            String attemptKey, Capability scope, ProcessIdentity identity) {
        return open().observeScope(attemptKey, scope, identity);
    }

    @Override
    public CompletionStage<Void> forget(String attemptKey, String nonce) {
        return open().forget(attemptKey, nonce);
    }

    @Override
    public CompletionStage<ExecutableMeasurement> measure(String path) {
        return open().measure(path);
    }

    @Override
    public CompletionStage<HostMeasurement> probe() {
        return open().probe();
    }

    @Override
    public List<SupervisorInfo> supervisors() {
        return open().supervisors();
    }
}
