package org.berth.placement.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.berth.placement.store.AttemptRepository;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class SharedCommitsTest {
    private final ExecutorService callers = Executors.newCachedThreadPool();
    private final ConcurrentLinkedQueue<Integer> sizes = new ConcurrentLinkedQueue<>();

    @AfterEach
    void endCallers() {
        callers.shutdownNow();
    }

    private List<Object> run(List<? extends Function<AttemptRepository, ?>> writes) {
        sizes.add(writes.size());
        List<Object> answers = new ArrayList<>();
        writes.forEach(each -> answers.add(each.apply(null)));
        return answers;
    }

    private static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(30, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /** Holds the only turn until {@code open}, so that what is asked for meanwhile comes together. */
    private Future<Object> hold(SharedCommits commits, CountDownLatch open) {
        CountDownLatch entered = new CountDownLatch(1);
        Future<Object> first = callers.submit(() -> commits.commit(store -> {
            entered.countDown();
            await(open);
            return "first";
        }));
        await(entered);
        return first;
    }

    @Test
    void aLoneWriteRunsOnItsOwnThread() {
        SharedCommits commits = new SharedCommits(this::run, 1);
        assertThat(commits.<Thread>commit(store -> Thread.currentThread())).isSameAs(Thread.currentThread());
    }

    @Test
    void writesThatComeDuringATransactionShareTheNext() throws Exception {
        SharedCommits commits = new SharedCommits(this::run, 1);
        CountDownLatch open = new CountDownLatch(1);
        Future<Object> first = hold(commits, open);
        List<Future<Object>> others = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            int number = i;
            others.add(callers.submit(() -> commits.commit(store -> number)));
        }
        waitForQueue(commits, 5);
        open.countDown();
        assertThat(first.get()).isEqualTo("first");
        for (int i = 0; i < 5; i++) {
            assertThat(others.get(i).get()).isEqualTo(i);
        }
        assertThat(sizes).containsExactly(1, 5);
    }

    @Test
    void whatFailsFailsForItselfOnly() throws Exception {
        SharedCommits commits = new SharedCommits(this::run, 1);
        CountDownLatch open = new CountDownLatch(1);
        Future<Object> first = hold(commits, open);
        AtomicInteger runs = new AtomicInteger();
        Future<Object> good = callers.submit(() -> commits.commit(store -> runs.incrementAndGet()));
        waitForQueue(commits, 1);
        Future<Object> bad = callers.submit(() -> commits.commit(store -> {
            throw new IllegalStateException("no");
        }));
        waitForQueue(commits, 2);
        open.countDown();
        first.get();
        assertThat(good.get()).as("undone with the other, and run again alone").isEqualTo(2);
        assertThatThrownBy(bad::get).hasRootCauseMessage("no").hasRootCauseInstanceOf(IllegalStateException.class);
        assertThat(sizes).containsExactly(1, 2, 1, 1);
    }

    @Test
    void everyWriteOfManyCallersIsAnsweredOnceAndNoneIsLost() throws Exception {
        SharedCommits commits = new SharedCommits(this::run, 2);
        AtomicInteger written = new AtomicInteger();
        List<Future<?>> all = new ArrayList<>();
        for (int caller = 0; caller < 16; caller++) {
            all.add(callers.submit(() -> {
                for (int i = 0; i < 2000; i++) {
                    int asked = i;
                    assertThat(commits.<Integer>commit(store -> {
                                written.incrementAndGet();
                                return asked;
                            }))
                            .isEqualTo(asked);
                }
            }));
        }
        for (Future<?> each : all) {
            each.get();
        }
        assertThat(written).hasValue(32_000);
        assertThat(sizes).allMatch(size -> size <= SharedCommits.MAX_TOGETHER);
    }

    @Test
    void anInterruptedCallerStillGetsItsAnswerAndStaysInterrupted() throws Exception {
        SharedCommits commits = new SharedCommits(this::run, 1);
        CountDownLatch open = new CountDownLatch(1);
        Future<Object> first = hold(commits, open);
        CompletableFuture<Boolean> interrupted = new CompletableFuture<>();
        Thread caller = Thread.ofPlatform().start(() -> {
            commits.commit(store -> 1);
            interrupted.complete(Thread.currentThread().isInterrupted());
        });
        waitForQueue(commits, 1);
        caller.interrupt();
        open.countDown();
        first.get();
        assertThat(interrupted.get()).isTrue();
    }

    private static void waitForQueue(SharedCommits commits, int length) throws InterruptedException {
        while (commits.waiting() < length) {
            Thread.sleep(1);
        }
    }
}
