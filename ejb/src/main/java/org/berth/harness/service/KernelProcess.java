package org.berth.harness.service;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.LongConsumer;
import org.berth.harness.kernel.HostDispatch;
import org.berth.harness.kernel.KernelChannel;
import org.berth.harness.kernel.KernelClient;
import org.berth.harness.kernel.KernelListener;
import org.berth.placement.Exit;
import org.berth.placement.OutputRecipient;
import org.berth.placement.OutputStreamKind;

/**
 * One kernel as an attempt of placement: its standard output is the protocol's, its standard error goes to the log. A chunk
 * is acknowledged once it was taken, so that a kernel never fills this server's memory.
 */
final class KernelProcess implements KernelChannel, OutputRecipient {
    /** How long after the exit the output's end may come. Source: the launch's drain of 1 s, and as much again. */
    static final int OUTPUT_END_MILLIS = 2_000;

    private final String attemptId;
    private final NamespaceSnapshot snapshot;
    private final KernelPort port;
    private final KernelListener listener;
    private final ScheduledExecutorService later;
    private final Turns turns;
    private final KernelInput input;
    private final KernelClient client;
    private final CompletableFuture<Exit> exit = new CompletableFuture<>();
    private final CompletableFuture<Void> over = new CompletableFuture<>();
    private volatile LongConsumer acknowledgement = through -> {};
    private volatile boolean lost;
    private long last;
    private boolean ended;

    /** @param executor runs what the kernel asks of the host, and hands on its output */
    KernelProcess(
            String attemptId,
            NamespaceSnapshot snapshot,
            KernelPort port,
            KernelListener listener,
            HostDispatch dispatch,
            Executor executor,
            ScheduledExecutorService later) {
        this.attemptId = attemptId;
        this.snapshot = snapshot;
        this.port = port;
        this.listener = listener;
        this.later = later;
        this.turns = new Turns(executor);
        this.input = new KernelInput(port, executor, this::broken);
        this.client = new KernelClient(this, listener, dispatch, executor);
    }

    KernelClient client() {
        return client;
    }

    String attemptId() {
        return attemptId;
    }

    /** Where it may save its names. */
    NamespaceSnapshot snapshot() {
        return snapshot;
    }

    /** Completes once its output is at its end and its exit is known, or nobody can tell any more. */
    CompletableFuture<Void> over() {
        return over;
    }

    /** Whether its output does not come any more, though it may run. */
    boolean isLost() {
        return lost && !over.isDone();
    }

    private void broken(String reason) {
        listener.diagnostic(reason);
        kill();
    }

    @Override
    public void write(byte[] line) {
        input.write(line);
    }

    @Override
    public void closeInput() {
        input.close();
        port.closeInput();
    }

    @Override
    public void kill() {
        closeInput();
        port.kill();
    }

    @Override
    public void receiving(LongConsumer acknowledge) {
        acknowledgement = acknowledge;
        lost = false;
        input.resume();
    }

    @Override
    public void chunk(OutputStreamKind stream, long sequence, byte[] data, boolean eof, boolean truncated) {
        turns.execute(() -> take(stream, sequence, data, eof));
    }

    private void take(OutputStreamKind stream, long sequence, byte[] data, boolean eof) {
        if (sequence > last && !ended) {
            last = sequence;
            if (stream == OutputStreamKind.STDERR) {
                said(data);
            } else if (eof) {
                end();
            } else {
                client.received(ByteBuffer.wrap(data));
            }
        }
        acknowledgement.accept(last);
    }

    private void said(byte[] data) {
        String text = new String(data, StandardCharsets.UTF_8).strip();
        if (!text.isEmpty()) {
            listener.diagnostic(text);
        }
    }

    private void end() {
        if (!ended) {
            ended = true;
            input.close();
            client.ended();
            exit.whenComplete((how, failure) -> over.complete(null));
        }
    }

    @Override
    public void exited(Exit how) {
        exit.complete(how);
        later.schedule(() -> turns.execute(this::end), OUTPUT_END_MILLIS, TimeUnit.MILLISECONDS);
    }

    @Override
    public void fenced(long generation) {
        exit.complete(new Exit.Unknown("another recipient took the kernel's output"));
        turns.execute(this::end);
    }

    @Override
    public void lost() {
        lost = true;
    }
}
