package org.berth.harness.service;

import jakarta.json.JsonArray;
import jakarta.json.JsonObject;
import jakarta.json.JsonString;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.berth.harness.kernel.Done;
import org.berth.harness.kernel.KernelClient;
import org.berth.harness.kernel.KernelRequest;

/**
 * Brings a session's names into one kernel and saves them from it. Any thread may call; no method waits. What the log gets
 * of it are counts and kinds of failures: names and reasons belong to the session's owner.
 */
final class NamespaceKeeper {
    /**
     * How long after a cell no other one may come before the names are saved. Source: an own choice; the cells of a program
     * follow each other faster, and those of a model that thinks, or of a person, do not.
     */
    static final int QUIET_MILLIS = 2_000;

    /** How long a save may take. Source: an own choice, several times that of the runtime's 256 MiB on a slow disk. */
    static final int SAVE_MILLIS = 20_000;

    /** How long a save at a kernel's end may take. Source: an own choice: who ends a session waits for it. */
    static final int END_SAVE_MILLIS = 3_000;

    /** How long a restore may take. Source: an own choice; it may import large modules from a cold disk. */
    static final int RESTORE_MILLIS = 30_000;

    /** Names that a sentence tells. Source: an own choice. */
    private static final int MOST_NAMES = 20;

    private static final int MOST_REASON = 200;

    private final KernelProcess process;
    private final KernelClient client;
    private final ScheduledExecutorService later;
    private final Consumer<String> diagnostics;
    private KernelRequest saving;

    /** @param diagnostics takes sentences for the log */
    NamespaceKeeper(KernelProcess process, ScheduledExecutorService later, Consumer<String> diagnostics) {
        this.process = process;
        this.client = process.client();
        this.later = later;
        this.diagnostics = diagnostics;
    }

    /**
     * What became of a restore.
     *
     * @param said a sentence for the session's owner; empty where nothing is to be said
     * @param fatal whether the kernel did not survive it: the next one starts without the file
     */
    record Restored(String said, boolean fatal) {
        private static final Restored NOTHING = new Restored("", false);
    }

    /**
     * Brings back what the last kernel saved. Never fails: a file that cannot be read is set aside.
     *
     * @param wanted asked when the kernel ended: whether anybody still waits for it
     */
    CompletionStage<Restored> restore(BooleanSupplier wanted) {
        Optional<String> path = process.snapshot().toRestore();
        if (path.isEmpty()) {
            return CompletableFuture.completedStage(Restored.NOTHING);
        }
        KernelRequest sent = client.restore(path.get());
        interruptAfter(sent, RESTORE_MILLIS, () -> killAfterGrace(sent));
        return sent.done().handle((done, gone) -> {
            if (gone == null) {
                return restored(done);
            }
            // A kernel that never served has not read the file.
            boolean served = client.ready().isDone() && !client.ready().isCompletedExceptionally();
            return served && wanted.getAsBoolean()
                    ? new Restored(setAside("the kernel ended while it read them"), true)
                    : Restored.NOTHING;
        });
    }

    private Restored restored(Done done) {
        if (!done.ok()) {
            return new Restored(setAside(cut(done.reason())), false);
        }
        if (!done.reason().isEmpty()) {
            // The file went meanwhile.
            return Restored.NOTHING;
        }
        int back = array(done, "restored").size();
        int failed = array(done, "failed").size();
        int skipped = array(done, "skipped").size();
        diagnostics.accept(
                "names came back from the snapshot: " + back + "; failed: " + failed + ", never kept: " + skipped);
        return new Restored(
                "the kernel is a new one; names that came back: " + back
                        + list("; names that did not: ", done, "failed")
                        + list("; names that could not be kept: ", done, "skipped"),
                false);
    }

    private String setAside(String why) {
        String aside = process.snapshot().setAside();
        diagnostics.accept("the names of the last kernel did not come back: the snapshot cannot be read; " + aside);
        return "the kernel is a new one, and the names of the last one did not come back: " + why + "; " + aside;
    }

    private static JsonArray array(Done done, String name) {
        JsonArray found = done.frame().getJsonArray(name);
        return found == null ? JsonArray.EMPTY_JSON_ARRAY : found;
    }

    private static String list(String begin, Done done, String name) {
        JsonArray all = array(done, name);
        if (all.isEmpty()) {
            return "";
        }
        String told = all.stream()
                .limit(MOST_NAMES)
                .map(each -> each instanceof JsonObject object
                        ? object.getString("name", "") + " (" + cut(object.getString("reason", "")) + ")"
                        : each instanceof JsonString text ? text.getString() : each.toString())
                .collect(Collectors.joining(", "));
        return begin + told + (all.size() > MOST_NAMES ? " and " + (all.size() - MOST_NAMES) + " more" : "");
    }

    private static String cut(String reason) {
        return reason.length() > MOST_REASON ? reason.substring(0, MOST_REASON) + "…" : reason;
    }

    /** Saves the names now, unless that is under way. */
    void save() {
        request();
    }

    /** As {@link #save}. @return completes at its end, and at the latest after {@code millis}; never fails */
    CompletionStage<Void> save(long millis) {
        CompletableFuture<Void> over = new CompletableFuture<>();
        Optional<KernelRequest> sent = request();
        if (sent.isEmpty()) {
            over.complete(null);
        } else {
            Runnable end = () -> over.complete(null);
            sent.get().done().whenComplete((done, gone) -> end.run());
            later.schedule(end, millis, TimeUnit.MILLISECONDS);
        }
        return over;
    }

    /** A cell comes: it does not wait for a save that is under way. What was saved before stays. */
    void giveWay() {
        KernelRequest open;
        synchronized (this) {
            open = saving;
            saving = null;
        }
        if (open != null) {
            client.interrupt(open.id());
        }
    }

    /** The save that is under way after this; empty where the kernel sees no file. */
    private Optional<KernelRequest> request() {
        Optional<String> path = process.snapshot().inKernel();
        if (path.isEmpty()) {
            return Optional.empty();
        }
        KernelRequest sent;
        synchronized (this) {
            if (saving != null) {
                return Optional.of(saving);
            }
            sent = client.snapshot(path.get());
            saving = sent;
        }
        // One that goes on nevertheless is left alone: a kernel with names is never killed for them.
        interruptAfter(sent, SAVE_MILLIS, () -> {});
        sent.done().whenComplete((done, gone) -> saved(sent, done));
        return Optional.of(sent);
    }

    private void saved(KernelRequest sent, Done done) {
        boolean gaveWay;
        synchronized (this) {
            gaveWay = saving != sent;
            if (!gaveWay) {
                saving = null;
            }
        }
        if (!gaveWay && done != null && !done.ok()) {
            // The text after the kind may hold values of the program.
            diagnostics.accept("the names could not be saved: " + done.reason().split(":", 2)[0]);
        }
    }

    /** What goes on too long keeps the cells from their kernel. */
    private void interruptAfter(KernelRequest sent, long millis, Runnable then) {
        later.schedule(
                () -> {
                    if (process.isLost()) {
                        // Its answer cannot come: that is not its fault.
                        interruptAfter(sent, millis, then);
                    } else if (!sent.done().isDone()) {
                        client.interrupt(sent.id());
                        then.run();
                    }
                },
                millis,
                TimeUnit.MILLISECONDS);
    }

    /** A new kernel has no names to lose. */
    private void killAfterGrace(KernelRequest restoring) {
        later.schedule(
                () -> {
                    if (!restoring.done().isDone()) {
                        diagnostics.accept("the restore went on after its interrupt: the kernel is killed");
                        client.kill();
                    }
                },
                SessionKernel.GRACE_MILLIS,
                TimeUnit.MILLISECONDS);
    }
}
