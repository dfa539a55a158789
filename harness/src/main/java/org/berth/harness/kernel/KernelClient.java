package org.berth.harness.kernel;

import jakarta.json.Json;
import jakarta.json.JsonObject;
import jakarta.json.JsonObjectBuilder;
import jakarta.json.JsonValue;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.berth.harness.frame.Admission;
import org.berth.harness.frame.FrameLimits;
import org.berth.harness.frame.FrameSplitter;
import org.berth.harness.frame.Gate;
import org.berth.harness.frame.HostRequest;
import org.berth.harness.frame.HostRequests;
import org.berth.harness.frame.ProtocolFault;

/**
 * Speaks protocol 3 with one kernel. Requests may come from any thread; {@link #received} and {@link #ended} come from one.
 * A fault ends it: every open request fails with the fault, and the kernel is killed. Source: harness.md, S3.
 */
public final class KernelClient {
    /** Source: guest-helper/kernel/README.md. */
    public static final int PROTOCOL = 3;

    private final KernelChannel channel;
    private final KernelListener listener;
    private final HostDispatch dispatch;
    private final HostRequests requests;
    private final OpenRequests open = new OpenRequests();
    private final KernelEvents events;
    private final FrameSplitter splitter;
    private final CompletableFuture<String> ready = new CompletableFuture<>();

    /** @param executor runs the handlers of accepted requests, each on its own */
    public KernelClient(KernelChannel channel, KernelListener listener, HostDispatch dispatch, Executor executor) {
        this.channel = Objects.requireNonNull(channel);
        this.listener = Objects.requireNonNull(listener);
        this.dispatch = Objects.requireNonNull(dispatch);
        this.requests = new HostRequests(executor, this::handle);
        this.events = new KernelEvents(open, listener);
        this.splitter = new FrameSplitter(
                FrameLimits.DEFAULT, new Gate(FrameLimits.DEFAULT, dispatch::serves, channel::write, this::decided));
    }

    /** The Python version of the kernel, once it serves; fails as a request does. */
    public CompletableFuture<String> ready() {
        return ready;
    }

    /** Whether the kernel has said that it serves, and has not ended. */
    public boolean isRunning() {
        return ready.isDone() && !ready.isCompletedExceptionally() && !open.isClosed();
    }

    /** Whether every further request fails at once: the kernel broke the protocol, or its output is at its end. */
    public boolean isClosed() {
        return open.isClosed();
    }

    /** Runs a cell, after those before it. */
    public KernelRequest execute(String code, CellListener cell) {
        return send(request("execute").add("code", code), Optional.of(cell));
    }

    /** Saves the namespace. @param path as the kernel names it */
    public KernelRequest snapshot(String path) {
        return send(request("snapshot").add("path", path), Optional.empty());
    }

    /** Brings names back; a missing file brings none. @param path as the kernel names it */
    public KernelRequest restore(String path) {
        return send(request("restore").add("path", path), Optional.empty());
    }

    /** Asks for the names that cells made. */
    public KernelRequest listNames() {
        return send(request("list_names"), Optional.empty());
    }

    /** Calls a function on the lane of its own; what it prints goes to {@code output}. */
    public KernelRequest call(String module, String function, JsonObject arguments, CellListener output) {
        return send(
                request("call").add("module", module).add("function", function).add("args", arguments),
                Optional.of(output));
    }

    /** Interrupts that request only; one that is over is not touched. */
    public void interrupt(String id) {
        write(request("interrupt").add("id", id).build());
    }

    /** Asks the kernel to end; what is open gets its end first. */
    public KernelRequest shutdown() {
        return send(request("shutdown"), Optional.empty());
    }

    /** Kills the kernel: open requests fail when its output ends. */
    public void kill() {
        channel.kill();
    }

    /** Takes what the kernel wrote; the chunk may be filled again when this returns. */
    public void received(ByteBuffer chunk) {
        splitter.feed(chunk);
    }

    /** The kernel's output is at its end. Called once. */
    public void ended() {
        splitter.end();
        close(new KernelEnded("the kernel ended before it answered"));
        listener.ended();
    }

    private static JsonObjectBuilder request(String type) {
        return Json.createObjectBuilder().add("type", type);
    }

    private KernelRequest send(JsonObjectBuilder fields, Optional<CellListener> cell) {
        KernelRequest request = open.add(cell);
        if (!request.done().isDone()) {
            write(fields.add("id", request.id()).build());
        }
        return request;
    }

    private void write(JsonObject request) {
        channel.write((request + "\n").getBytes(StandardCharsets.UTF_8));
    }

    private boolean close(Exception cause) {
        ready.completeExceptionally(cause);
        return open.close(cause);
    }

    private void decided(Admission admission) {
        switch (admission) {
            case Admission.Accepted accepted -> requests.start(accepted);
            case Admission.Refused refused -> listener.diagnostic(refused.diagnostic());
            case Admission.Dropped dropped -> listener.diagnostic(dropped.diagnostic());
            case Admission.Event event -> event(event);
            case Admission.Fault(ProtocolFault fault) -> fault(fault);
        }
    }

    private void event(Admission.Event event) {
        try {
            JsonObject frame = KernelEvents.parse(event.frame());
            if (event.name().equals("ready")) {
                welcome(frame);
            } else {
                events.accept(event.name(), frame);
            }
        } catch (ProtocolFault fault) {
            fault(fault);
        }
    }

    private void welcome(JsonObject frame) {
        int protocol = frame.getInt("protocol", 0);
        if (protocol == PROTOCOL) {
            ready.complete(frame.getString("python", ""));
        } else {
            close(new KernelEnded("the kernel speaks protocol " + protocol + ", not " + PROTOCOL));
            channel.kill();
        }
    }

    private void fault(ProtocolFault fault) {
        if (close(fault)) {
            channel.kill();
            listener.fault(fault);
        }
    }

    private JsonValue handle(HostRequest request) throws Exception {
        return dispatch.handle(
                request.type(), KernelEvents.parse(request.frame()).getJsonObject("data"));
    }
}
