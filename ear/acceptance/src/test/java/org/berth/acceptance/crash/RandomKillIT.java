package org.berth.acceptance.crash;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import org.berth.acceptance.Api;
import org.berth.acceptance.Await;
import org.berth.acceptance.BerthServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Several clients ask for anything while the server, the supervisor or both are killed at any moment. What is right is
 * told by files that the children wrote and by /proc. A seed fixes what is asked and when is killed, not how threads
 * interleave.
 */
class RandomKillIT {
    private static final int CLIENTS = 4;
    private static final int SUBJECTS_PER_ROUND = 16;
    /** Children that have run in each round before its kill, however slow the machine is. */
    private static final int STARTED_PER_ROUND = 5;

    private static final int BEFORE_KILL_MILLIS = 1_500;
    private static final int BOOT_MILLIS = 8_000;
    private static final int BETWEEN_KILLS_MILLIS = 200;

    private static BerthServer server;

    /** What a round kills. */
    private enum Kill {
        SERVER,
        SERVER_WHILE_IT_STARTS,
        SUPERVISOR,
        BOTH
    }

    /** The attempts of all clients. */
    static final class Field {
        private final List<Subject> subjects = new CopyOnWriteArrayList<>();
        private final ReentrantReadWriteLock turns = new ReentrantReadWriteLock(true);
        private volatile boolean over;
        private volatile boolean supervisorAway;
        private volatile int most;

        /** Held by a client during an operation. */
        Lock turn() {
            return turns.readLock();
        }

        boolean isOver() {
            return over;
        }

        /** One of the attempts; the newest more often, and one more while the round may have more. */
        Subject any(Random random) {
            synchronized (this) {
                if (subjects.size() < most && random.nextInt(6) == 0 || subjects.isEmpty()) {
                    subjects.add(new Subject(server, random, supervisorAway));
                }
            }
            int size = subjects.size();
            return subjects.get(
                    random.nextBoolean() ? size - 1 - random.nextInt(Math.min(size, 8)) : random.nextInt(size));
        }

        private synchronized void killSupervisor() {
            supervisorAway = true;
            subjects.forEach(Subject::supervisorMayMiss);
            server.killSupervisor();
        }

        private synchronized void supervisorIsBack() {
            supervisorAway = false;
        }
    }

    @BeforeAll
    static void start() {
        server = BerthServer.create("random-kill").start();
    }

    @AfterAll
    static void end() {
        server.close();
    }

    @Test
    void nothingIsStartedTwiceLostOrInventedWheneverAProgramIsKilled() throws Exception {
        long seed = Long.getLong("berth.acceptance.seed", System.nanoTime());
        Random random = new Random(seed);
        Field field = new Field();
        List<Kill> kills = new ArrayList<>(List.of(Kill.values()));
        Collections.shuffle(kills, random);
        Api api = server.api();
        try (ExecutorService threads = Executors.newFixedThreadPool(CLIENTS)) {
            List<Future<?>> clients = new ArrayList<>();
            for (int i = 0; i < CLIENTS; i++) {
                clients.add(threads.submit(
                        new RandomClient(field, api, random.nextLong(), "seed " + seed + ", client " + i)));
            }
            try {
                for (Kill kill : kills) {
                    field.most += SUBJECTS_PER_ROUND;
                    int enough = field.most / SUBJECTS_PER_ROUND * STARTED_PER_ROUND;
                    Await.until(
                            "children ran, seed " + seed,
                            Duration.ofMinutes(2),
                            () -> started(field).size() >= enough);
                    pause(random, BEFORE_KILL_MILLIS);
                    kill(kill, field, random);
                    pause(random, BEFORE_KILL_MILLIS);
                    verdict(field, api, "seed " + seed + ", " + kill + " of " + kills);
                }
            } finally {
                field.over = true;
            }
            for (Future<?> client : clients) {
                client.get(2, TimeUnit.MINUTES);
            }
        }
        String last = "seed " + seed + ", after " + kills;
        field.subjects.forEach(subject -> subject.end(api, last));
        Records.noOrphans(server, children(field));
        assertThat(started(field)).as("children that ran, %s", last).hasSizeGreaterThan(SUBJECTS_PER_ROUND);
    }

    private static void kill(Kill kill, Field field, Random random) {
        switch (kill) {
            case SERVER -> {
                server.kill9();
                server.start();
            }
            case SERVER_WHILE_IT_STARTS -> {
                server.kill9();
                server.launch();
                pause(random, BOOT_MILLIS);
                server.kill9();
                server.start();
            }
            case SUPERVISOR -> {
                field.killSupervisor();
                server.supervisorPid();
            }
            case BOTH -> {
                if (random.nextBoolean()) {
                    server.kill9();
                    pause(random, BETWEEN_KILLS_MILLIS);
                    field.killSupervisor();
                } else {
                    field.killSupervisor();
                    pause(random, BETWEEN_KILLS_MILLIS);
                    server.kill9();
                }
                server.start();
            }
        }
        Await.until(
                "the server has its supervisor",
                () -> server.api().get("/healthz").status() == 200);
        field.supervisorIsBack();
    }

    /** The clients hold still; the children and their exits go on. */
    private static void verdict(Field field, Api api, String what) {
        field.turns.writeLock().lock();
        try {
            field.subjects.forEach(subject -> subject.assertKept(api, what));
            Records.noOrphans(server, children(field));
        } finally {
            field.turns.writeLock().unlock();
        }
    }

    private static List<Child> children(Field field) {
        return field.subjects.stream().map(subject -> subject.child).toList();
    }

    private static List<Child> started(Field field) {
        return children(field).stream()
                .filter(child -> !child.starts().isEmpty())
                .toList();
    }

    /** Until a moment that the seed chose. */
    private static void pause(Random random, int most) {
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(random.nextInt(most)));
    }
}
