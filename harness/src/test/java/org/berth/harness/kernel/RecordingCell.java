package org.berth.harness.kernel;

import jakarta.json.JsonObject;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** Writes down what a cell shows. */
final class RecordingCell implements CellListener {
    private final BlockingQueue<String> shown = new LinkedBlockingQueue<>();

    @Override
    public void output(OutputStream stream, String text) {
        shown.add(stream + ":" + text);
    }

    @Override
    public void result(String text) {
        shown.add("result:" + text);
    }

    @Override
    public void display(JsonObject data) {
        shown.add("display:" + data);
    }

    @Override
    public void error(String name, String text, List<String> traceback) {
        shown.add("error:" + name + ":" + text);
    }

    List<String> all() {
        return List.copyOf(shown);
    }

    /** All output of one stream. */
    String text(OutputStream stream) {
        StringBuilder text = new StringBuilder();
        for (String each : shown) {
            if (each.startsWith(stream + ":")) {
                text.append(each.substring(stream.name().length() + 1));
            }
        }
        return text.toString();
    }

    /** The next thing it shows, taken out. */
    String next() throws InterruptedException {
        String next = shown.poll(ProcessKernel.PATIENCE_SECONDS, TimeUnit.SECONDS);
        if (next == null) {
            throw new AssertionError("the cell shows nothing");
        }
        return next;
    }
}
