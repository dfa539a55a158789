package org.berth.harness.frame;

import jakarta.json.Json;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.function.IntConsumer;

/** The production gate with a host around it whose handlers run when the test says so. */
final class Host {
    final List<String> transcript = new ArrayList<>();
    final List<Admission> decisions = new ArrayList<>();
    final List<String> replies = new ArrayList<>();
    final List<String> ran = new ArrayList<>();
    final List<HostRequest> requests = new ArrayList<>();
    final Deque<Runnable> waiting = new ArrayDeque<>();
    final FrameSplitter splitter;
    IntConsumer afterDecision = index -> {};

    Host(FrameLimits limits, Set<String> served) {
        HostRequests requestsRunner = new HostRequests(waiting::add, this::handle);
        Gate gate = new Gate(limits, served::contains, this::reply, decision -> decided(decision, requestsRunner));
        splitter = new FrameSplitter(limits, gate);
    }

    private jakarta.json.JsonValue handle(HostRequest request) {
        ran.add(request.id());
        requests.add(request);
        if (request.type().endsWith(".fails")) {
            throw new IllegalStateException("no " + request.id());
        }
        return Json.createValue("ran " + request.id());
    }

    private void reply(byte[] line) {
        String text = new String(line, StandardCharsets.UTF_8);
        replies.add(text.strip());
        transcript.add("reply " + text.strip());
    }

    private void decided(Admission decision, HostRequests runner) {
        decisions.add(decision);
        switch (decision) {
            case Admission.Accepted accepted -> {
                transcript.add("run " + accepted.request().id() + " "
                        + accepted.request().type());
                runner.start(accepted);
            }
            case Admission.Refused refused -> {}
            case Admission.Event event -> transcript.add("pass " + event.name());
            case Admission.Dropped dropped -> transcript.add("drop " + dropped.event());
            case Admission.Fault fault ->
                transcript.add("fault " + fault.fault().reason());
        }
        afterDecision.accept(decisions.size() - 1);
    }

    /** Runs the handler that waits at {@code place}. */
    void runWaiting(int place) {
        List<Runnable> all = new ArrayList<>(waiting);
        Runnable chosen = all.remove(place);
        waiting.clear();
        waiting.addAll(all);
        chosen.run();
    }

    void runAll() {
        while (!waiting.isEmpty()) {
            runWaiting(0);
        }
    }

    /** Feeds {@code stream} in reads of random sizes. */
    void feed(byte[] stream, Random random, int longestRead) {
        int at = 0;
        while (at < stream.length) {
            int count = Math.min(stream.length - at, 1 + random.nextInt(longestRead));
            byte[] read = new byte[count + 4];
            System.arraycopy(stream, at, read, 2, count);
            splitter.feed(read, 2, 2 + count);
            java.util.Arrays.fill(read, (byte) '#');
            at += count;
        }
    }

    void feed(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        splitter.feed(bytes, 0, bytes.length);
    }
}
