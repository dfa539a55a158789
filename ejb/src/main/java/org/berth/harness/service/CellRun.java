package org.berth.harness.service;

import jakarta.json.JsonObject;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.berth.harness.job.Ending;
import org.berth.harness.kernel.CellListener;
import org.berth.harness.kernel.Done;
import org.berth.harness.kernel.OutputStream;
import org.berth.harness.output.BoundedOutput;
import org.berth.harness.output.OutputBuffer;
import org.berth.harness.output.OutputView;
import org.berth.harness.output.Truncation;
import org.berth.placement.Wire;
import org.berth.problem.BerthException;

/**
 * One cell: what it shows, and its one end. While nobody waits for it any more its output is a job's.
 *
 * <pre>
 *   open --done--> ok, error or interrupted
 *   open --the kernel broke or ended--> fault
 *   open --its kernel could not be started--> refused
 * </pre>
 */
final class CellRun implements CellListener {
    /** How a cell ended, as clients see it. */
    enum Status {
        OK,
        ERROR,
        INTERRUPTED,
        FAULT
    }

    /**
     * @param reason empty where nothing is to be said
     * @param refusal why no kernel could be started; else null
     */
    record End(Status status, String reason, BerthException refusal) {}

    /** Characters of all rich output of one cell, as JSON. Source: an own choice, a few pictures. */
    static final int MOST_DISPLAY_CHARACTERS = 8 << 20;

    private final String id;
    private final String code;
    private final Truncation truncation;
    private final BoundedOutput output;
    private final Consumer<byte[]> heard;
    private final Ending<End> ending = new Ending<>();
    private final List<Object> displays = new ArrayList<>();
    private int displayCharacters;
    private int displaysDropped;
    private String result;
    private long resultDroppedBytes;
    private Map<String, Object> error;
    private String diagnostic;
    private boolean interrupted;
    private Consumer<byte[]> job;

    /** @param heard told each piece of output, on the thread that feeds */
    CellRun(String id, String code, Truncation truncation, BoundedOutput output, Consumer<byte[]> heard) {
        this.id = id;
        this.code = code;
        this.truncation = truncation;
        this.output = output;
        this.heard = heard;
    }

    String id() {
        return id;
    }

    String code() {
        return code;
    }

    BoundedOutput output() {
        return output;
    }

    Ending<End> ending() {
        return ending;
    }

    /** Its output goes to a job from now on, which has what was written before; a result that is there goes with it. */
    synchronized void detach(Consumer<byte[]> toJob) {
        job = toJob;
        text();
    }

    @Override
    public void output(OutputStream stream, String text) {
        append(text.getBytes(StandardCharsets.UTF_8));
    }

    private void append(byte[] bytes) {
        synchronized (this) {
            if (job == null) {
                output.append(bytes);
            } else {
                job.accept(bytes);
            }
        }
        heard.accept(bytes);
    }

    @Override
    public synchronized void result(String text) {
        OutputBuffer bounded = new OutputBuffer(truncation);
        bounded.append(text.getBytes(StandardCharsets.UTF_8));
        bounded.end();
        OutputView view = bounded.view();
        result = view.text();
        resultDroppedBytes = view.droppedBytes();
        text();
    }

    @Override
    public synchronized void display(JsonObject data) {
        String json = data.toString();
        if (displayCharacters + json.length() > MOST_DISPLAY_CHARACTERS && truncation instanceof Truncation.On) {
            displaysDropped++;
            return;
        }
        displayCharacters += json.length();
        displays.add(JsonTrees.tree(data));
    }

    @Override
    public synchronized void error(String name, String text, List<String> traceback) {
        error = error(name, text);
        error.put("traceback", List.copyOf(traceback));
        text();
    }

    private static Map<String, Object> error(String name, String text) {
        Map<String, Object> tree = new LinkedHashMap<>();
        tree.put("name", name);
        tree.put("text", text);
        tree.put("traceback", List.of());
        return tree;
    }

    /** A job has only its output to say what came out of the cell. */
    private void text() {
        if (job == null) {
            return;
        }
        StringBuilder said = new StringBuilder();
        if (result != null) {
            said.append(result).append('\n');
        }
        if (error != null && error.get("traceback") instanceof List<?> lines) {
            lines.forEach(said::append);
            if (lines.isEmpty()) {
                said.append(error.get("name"))
                        .append(": ")
                        .append(error.get("text"))
                        .append('\n');
            }
        }
        if (!said.isEmpty()) {
            job.accept(said.toString().getBytes(StandardCharsets.UTF_8));
        }
    }

    /** What is to be said of its kernel, beside what it shows. */
    synchronized void diagnostic(String sentence) {
        diagnostic = sentence;
    }

    /** It was asked to stop: an error that follows is its end by that. */
    synchronized void interrupting() {
        interrupted = true;
    }

    /** The kernel says that it is over. */
    void done(Done done) {
        boolean asked;
        synchronized (this) {
            asked = interrupted;
        }
        if (done.ok()) {
            end(new End(Status.OK, "", null));
        } else {
            end(new End(
                    asked && done.reason().startsWith("KeyboardInterrupt") ? Status.INTERRUPTED : Status.ERROR,
                    done.reason(),
                    null));
        }
    }

    /** It never ran, and will not. */
    void withdrawn() {
        end(new End(Status.INTERRUPTED, "it did not run", null));
    }

    void fault(String reason) {
        boolean asked;
        synchronized (this) {
            asked = interrupted;
            if (error == null) {
                error = error("KernelFault", reason);
            }
        }
        end(new End(asked ? Status.INTERRUPTED : Status.FAULT, reason, null));
    }

    void refused(BerthException problem) {
        end(new End(Status.FAULT, problem.getMessage(), problem));
    }

    private void end(End how) {
        synchronized (this) {
            if (job == null) {
                output.end();
            }
        }
        ending.settle(how);
    }

    /** What a client is told of a cell that has ended. */
    synchronized Map<String, Object> tree(End end) {
        Map<String, Object> tree = new LinkedHashMap<>();
        tree.put("cell", id);
        tree.put("status", Wire.name(end.status()));
        tree.put("result", result);
        if (resultDroppedBytes > 0) {
            tree.put("resultDroppedBytes", resultDroppedBytes);
        }
        tree.put("error", error == null && end.status() != Status.OK ? error("KernelFault", end.reason()) : error);
        rest(tree);
        return tree;
    }

    /** What is there of it so far, beside its end. */
    synchronized void rest(Map<String, Object> tree) {
        tree.put("displays", List.copyOf(displays));
        if (displaysDropped > 0) {
            tree.put("displaysDropped", (long) displaysDropped);
        }
        if (diagnostic != null) {
            tree.put("diagnostic", diagnostic);
        }
        SessionTrees.output(
                tree, output.view(), output.artifact().map(Object::toString).orElse(null));
    }
}
