package org.berth.acceptance.crash;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.LockSupport;
import org.berth.acceptance.Answer;
import org.berth.acceptance.Api;
import org.berth.acceptance.ListedSteps;
import org.berth.acceptance.StreamClient;

/** A client that asks for anything of any attempt, goes on when the server is away, and keeps what it was told. */
final class RandomClient implements Runnable {
    /** No answer of a killed supervisor's or server's doing is another. */
    private static final List<Integer> STATUSES = List.of(200, 201, 404, 409, 503);

    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    private final RandomKillIT.Field field;
    private final Api api;
    private final Random random;
    private final String name;
    private final Map<Subject, Map<String, Object>> seen = new HashMap<>();

    /** A write that was cut, sent again with its own id; null when there is none. */
    private Map<String, Object> cutWrite;

    private Subject cutSubject;
    private int writes;

    RandomClient(RandomKillIT.Field field, Api api, long seed, String name) {
        this.field = field;
        this.api = api;
        this.random = new Random(seed);
        this.name = name;
    }

    @Override
    public void run() {
        Lock turn = field.turn();
        while (!field.isOver()) {
            boolean answered;
            turn.lock();
            try {
                answered = act();
            } finally {
                turn.unlock();
            }
            LockSupport.parkNanos(answered ? PAUSE_NANOS / 10 : PAUSE_NANOS);
        }
    }

    /** One operation; whether the server was there. */
    private boolean act() {
        Subject subject = field.any(random);
        try {
            if (!subject.isPrepared()) {
                allowed(api.prepare(subject.child.launch), subject, subject::toldPrepared);
            } else {
                operate(subject);
            }
            return true;
        } catch (UncheckedIOException e) {
            return false;
        }
    }

    private void operate(Subject subject) {
        String id = subject.child.id;
        switch (random.nextInt(12)) {
            case 0, 1, 2 -> allowed(api.start(id), subject, subject::toldStarted);
            case 3 -> allowed(api.stop(id, "cooperative"), subject, null);
            case 4 -> allowed(api.stop(id, "forced"), subject, null);
            case 5 -> allowed(api.attach(id), subject, null);
            case 6 -> allowed(api.reconcile(id), subject, null);
            case 7 -> allowed(api.cleanUp(id), subject, null);
            case 8, 9 -> write(subject);
            case 10 -> allowed(api.post(Api.ATTEMPTS + "/" + id + "/stdin/close"), subject, null);
            default -> look(subject);
        }
    }

    private void look(Subject subject) {
        Answer answer = api.status(subject.child.id);
        allowed(answer, subject, null);
        if (answer.status() != 200) {
            return;
        }
        @SuppressWarnings("unchecked")
        Map<String, Object> now = (Map<String, Object>) answer.at("attempt");
        Map<String, Object> before = seen.put(subject, now);
        if (before != null) {
            ListedSteps.assertReached(before, now, name + ", " + subject.child.id);
        }
    }

    private void write(Subject subject) {
        Subject target = subject;
        if (cutWrite == null) {
            String line = name + "-" + writes++;
            cutWrite = new HashMap<>(Map.of(
                    "write_id",
                    StreamClient.newWriteId(),
                    "data",
                    Base64.getEncoder().encodeToString((line + "\n").getBytes(StandardCharsets.UTF_8)),
                    "line",
                    line));
            cutSubject = subject;
        } else {
            target = cutSubject;
        }
        Answer attached = api.attach(target.child.id);
        allowed(attached, target, null);
        if (attached.status() == 200) {
            Map<String, Object> body = new HashMap<>(cutWrite);
            Object line = body.remove("line");
            body.put("generation", attached.number("generation"));
            Answer answer = api.post(Api.ATTEMPTS + "/" + target.child.id + "/input", body);
            allowed(answer, target, null);
            if (answer.status() == 200 && Boolean.TRUE.equals(answer.at("accepted"))) {
                target.toldAccepted((String) line);
            }
        }
        cutWrite = null;
    }

    private void allowed(Answer answer, Subject subject, Runnable told) {
        assertThat(answer.status())
                .as("%s: %s answers %s", name, answer.request(), answer.text())
                .isIn(STATUSES);
        assertThat(answer.status() == 404 && subject.isPrepared())
                .as("%s: %s is gone: %s", name, subject.child.id, answer.text())
                .isFalse();
        if (answer.status() < 300 && told != null) {
            told.run();
        }
    }
}
