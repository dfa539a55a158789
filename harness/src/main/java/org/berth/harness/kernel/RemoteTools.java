package org.berth.harness.kernel;

import jakarta.json.JsonObject;
import jakarta.json.JsonValue;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * The functions of a session's kernel: takes their announcements, and calls them within a deadline. Other requests go on to
 * the session's handlers. The functions stay when the kernel is replaced; the new one knows those it defines again.
 */
public final class RemoteTools implements HostDispatch {
    private final HostDispatch others;
    private final Map<String, RemoteFunction> functions = new ConcurrentSkipListMap<>();

    public RemoteTools(HostDispatch others) {
        this.others = Objects.requireNonNull(others);
    }

    /** The functions by name; the latest announcement of a name counts. */
    public List<RemoteFunction> functions() {
        return List.copyOf(functions.values());
    }

    @Override
    public boolean serves(String type) {
        return type.equals(RemoteFunction.REGISTER) || others.serves(type);
    }

    @Override
    public JsonValue handle(String type, JsonObject data) throws Exception {
        if (!type.equals(RemoteFunction.REGISTER)) {
            return others.handle(type, data);
        }
        RemoteFunction function = RemoteFunction.of(data);
        functions.put(function.name(), function);
        return JsonValue.NULL;
    }

    /**
     * Calls a function. The answer never fails: it is an outcome, at the deadline at the latest.
     *
     * @param kernel the session's kernel now; empty when it has none
     * @param budget how long the caller waits; a budget that is used up is a timeout at once, and nothing is sent
     * @param output takes what the function prints
     */
    public CompletableFuture<RemoteOutcome> call(
            Supplier<Optional<KernelClient>> kernel,
            String name,
            JsonObject arguments,
            Duration budget,
            CellListener output) {
        RemoteFunction function = functions.get(name);
        if (function == null) {
            return failed(RemoteOutcome.Error.UNKNOWN, "no kernel offered remote/" + name);
        }
        Optional<KernelClient> running = kernel.get().filter(KernelClient::isRunning);
        if (running.isEmpty()) {
            return failed(RemoteOutcome.Error.NOT_RUNNING, "the kernel that offers remote/" + name + " does not run");
        }
        if (!budget.isPositive()) {
            return failed(RemoteOutcome.Error.TIMEOUT, late(name));
        }
        return running.get()
                .call(function.module(), function.function(), arguments, output)
                .done()
                .handle((done, gone) -> done == null ? unreachable(gone) : outcome(done))
                .completeOnTimeout(
                        new RemoteOutcome.Failed(RemoteOutcome.Error.TIMEOUT, late(name)),
                        budget.toNanos(),
                        TimeUnit.NANOSECONDS);
    }

    private static String late(String name) {
        return "remote/" + name + " gave no result within the blocking budget; it may still run";
    }

    private static CompletableFuture<RemoteOutcome> failed(RemoteOutcome.Error error, String message) {
        return CompletableFuture.completedFuture(new RemoteOutcome.Failed(error, message));
    }

    private static RemoteOutcome unreachable(Throwable gone) {
        return new RemoteOutcome.Failed(RemoteOutcome.Error.UNREACHABLE, gone.getMessage());
    }

    private static RemoteOutcome outcome(Done done) {
        JsonObject frame = done.frame();
        if (done.ok()) {
            return new RemoteOutcome.Returned(frame.getOrDefault("result", JsonValue.NULL));
        }
        String message = frame.getString("error", done.reason());
        return switch (done.reason()) {
            case "unknown" -> new RemoteOutcome.Failed(RemoteOutcome.Error.UNKNOWN, message);
            case "unreachable" -> new RemoteOutcome.Failed(RemoteOutcome.Error.UNREACHABLE, message);
            default -> new RemoteOutcome.Failed(RemoteOutcome.Error.FAILED, message);
        };
    }
}
