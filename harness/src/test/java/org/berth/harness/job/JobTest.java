package org.berth.harness.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import org.berth.harness.output.BoundedOutput;
import org.berth.harness.output.OutputLimits;
import org.berth.harness.output.Truncation;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JobTest {
    private final VirtualTimer timer = new VirtualTimer();
    private final Documents documents = new Documents();
    private final JobTable table = new JobTable(5);
    private final SessionJobs jobs =
            new SessionJobs(table, new JobWriter(documents, Runnable::run), new BlockingWait(timer));

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private Job start(String id, JobOwner owner) {
        Job job = new Job(id, Truncation.DEFAULT);
        jobs.start(new JobTable.Running(job, owner, table.lastEntry()), "work");
        return job;
    }

    @Test
    void aDetachedRunCountsWhatItWroteBefore(@TempDir Path directory) {
        Path file = directory.resolve("output");
        BoundedOutput run = new BoundedOutput(new Truncation.On(new OutputLimits(3, 9, OutputLimits.Keep.TAIL)), file);
        run.append(bytes("before"));
        Job job = new Job("j", run);
        job.output(bytes("after"), 0, 5);
        job.exited(0);
        job.output(bytes("late"), 0, 4);
        assertThat(job.view().text()).isEqualTo("ter");
        assertThat(job.view().producedBytes()).isEqualTo(11);
        assertThat(file).hasContent("beforeafter");
    }

    @Test
    void aRewindNamesWhatStoppedWithinTheBudgetAndWhatDidNot() {
        Job quick = start(
                "quick",
                () -> timer.schedule(3, () -> table.running().getFirst().job().killed()));
        Job slow = start("slow", () -> {});
        start("broken", () -> {
            throw new IllegalStateException("no such process");
        });
        CompletableFuture<Rewound> rewound = jobs.rewindTo(5, 10);
        assertThat(rewound).isNotDone();
        timer.advanceTo(10);
        assertThat(rewound.join()).isEqualTo(new Rewound(List.of("quick"), List.of("slow", "broken")));
        assertThat(quick.end()).contains(new JobEnd.Killed());
        assertThat(slow.end()).isEmpty();
        assertThat(documents.nodes).containsExactly("broken", "slow");
    }

    @Test
    void anEntryFromBeforeTheOpenComesBeforeEveryJobStartedSinceAndASurvivorIsJudgedByItsOwnStart() {
        List<String> killed = new ArrayList<>();
        JobTable.Running survivor =
                new JobTable.Running(new Job("survivor", Truncation.DEFAULT), () -> killed.add("survivor"), 2);
        documents.nodes.addAll(List.of("survivor", "dead"));
        jobs.open(List.of(survivor));
        assertThat(documents.nodes).containsExactly("survivor");
        start("since", () -> killed.add("since"));
        jobs.rewindTo(3, 0).join();
        assertThat(killed).containsExactly("since");
        jobs.rewindTo(2, 0).join();
        assertThat(killed).containsExactly("since", "survivor", "since");
        survivor.job().exited(0);
        assertThat(jobs.find("survivor")).isEmpty();
        assertThat(documents.nodes).containsExactly("since");
    }

    @Test
    void oneIdIsOneJob() {
        start("j", () -> {});
        assertThatIllegalArgumentException().isThrownBy(() -> start("j", () -> {}));
    }

    @Test
    void manyShortWaitsOnALongJobLeaveNothingBehind() throws ReflectiveOperationException {
        Job job = start("long", () -> {});
        BlockingWait wait = new BlockingWait(timer);
        for (int i = 1; i <= 1000; i++) {
            CompletableFuture<Waited<JobEnd>> answer = wait.until(job.ending(), i);
            timer.advanceTo(i);
            assertThat(answer.join()).isEqualTo(new Waited.Detached<>());
        }
        assertThat(timer.waiting()).isZero();
        assertThat(job.ending().listeners()).isEqualTo(1);
    }

    @Test
    void aBlockedCallerIsAnsweredByAnotherThreadsEndAndByTheClock() throws Exception {
        try (ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor();
                ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
            BlockingWait wait = new BlockingWait(WaitTimer.of(clock));
            Job job = new Job("j", Truncation.DEFAULT);
            CountDownLatch asked = new CountDownLatch(1);
            Future<Waited<JobEnd>> answer = callers.submit(() -> {
                asked.countDown();
                return wait.await(job.ending(), wait.deadline(600_000));
            });
            asked.await();
            job.exited(3);
            assertThat(answer.get()).isEqualTo(new Waited.Settled<>(new JobEnd.Exited(3)));
            assertThat(wait.await(job.ending(), wait.deadline(0))).isEqualTo(new Waited.Detached<>());
            assertThat(wait.await(new Ending<JobEnd>(), wait.deadline(1))).isEqualTo(new Waited.Detached<>());
        }
    }
}
