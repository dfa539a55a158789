package org.berth.placement.service;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.berth.placement.EvidenceKind;
import org.berth.placement.Exit;
import org.berth.placement.ProcessEvent;
import org.junit.jupiter.api.Test;

class StartReceiptsTest {
    private static final String KEY = "key";
    private static final String NONCE = "nonce";

    private final StartReceipts receipts = new StartReceipts(30_000);

    private ProcessEvent exit(String nonce) {
        return new ProcessEvent(KEY, nonce, 1, Instant.EPOCH, EvidenceKind.CHILD_EXITED, Map.of(), new Exit.Exited(0));
    }

    /** Joins on another thread; returns once the event waits. */
    private CompletableFuture<Boolean> joined(ProcessEvent event) {
        CompletableFuture<Boolean> answer = new CompletableFuture<>();
        Thread thread = Thread.ofPlatform().start(() -> answer.complete(receipts.join(event)));
        long deadline = System.nanoTime() + Duration.ofSeconds(10).toNanos();
        while (thread.getState() != Thread.State.TIMED_WAITING && thread.getState() != Thread.State.WAITING) {
            assertThat(System.nanoTime()).isLessThan(deadline);
            Thread.onSpinWait();
        }
        return answer;
    }

    @Test
    void anEventThatOvertakesItsStartWaitsForTheCommonCommit() throws Exception {
        receipts.open(KEY, NONCE);
        CompletableFuture<Boolean> answer = joined(exit(NONCE));
        assertThat(receipts.take(KEY)).containsExactly(exit(NONCE));
        assertThat(answer).isNotDone();
        receipts.recorded(KEY);
        assertThat(answer.get(10, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void anEventWithoutAStartUnderWayIsRecordedByItself() {
        assertThat(receipts.join(exit(NONCE))).isFalse();
    }

    @Test
    void anEventOfAnotherLifeDoesNotWait() {
        receipts.open(KEY, NONCE);
        assertThat(receipts.join(exit("another"))).isFalse();
        assertThat(receipts.take(KEY)).isEmpty();
    }

    @Test
    void afterTheTakingNoneJoins() {
        receipts.open(KEY, NONCE);
        assertThat(receipts.take(KEY)).isEmpty();
        assertThat(receipts.join(exit(NONCE))).isFalse();
    }

    @Test
    void aStartThatFailsLetsItsEventsGo() throws Exception {
        receipts.open(KEY, NONCE);
        CompletableFuture<Boolean> answer = joined(exit(NONCE));
        receipts.close(KEY);
        assertThat(answer.get(10, TimeUnit.SECONDS)).isFalse();
    }

    @Test
    void anEventWaitsForABoundedTime() {
        StartReceipts impatient = new StartReceipts(1);
        impatient.open(KEY, NONCE);
        assertThat(impatient.join(exit(NONCE))).isFalse();
    }
}
