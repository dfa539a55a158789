package org.berth.process.adapter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.berth.process.adapter.AdapterFixture.await;

import jakarta.resource.NotSupportedException;
import jakarta.resource.spi.InvalidPropertyException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.berth.placement.EvidenceKind;
import org.berth.placement.ProcessEvent;
import org.berth.process.adapter.AdapterStatistics.Counter;
import org.berth.process.adapter.FakeBean.End;
import org.berth.process.protocol.Frame;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class InboundTest {
    @TempDir
    Path root;

    private AdapterFixture fixture;
    private FakeSupervisor supervisor;

    @BeforeEach
    void prepare() throws Exception {
        fixture = new AdapterFixture(root);
        supervisor = fixture.ownSupervisor();
    }

    @AfterEach
    void end() throws Exception {
        fixture.close();
        supervisor.close();
    }

    private void start(FakeBean bean) throws Exception {
        fixture.start(bean.transactions());
        await("connected", () -> fixture.processes().supervisors().size() == 1);
        fixture.adapter.endpointActivation(bean, activation());
        await("subscribed", () -> !supervisor.received(Frame.Subscribe.class).isEmpty());
    }

    private static ProcessEventActivation activation() {
        ProcessEventActivation activation = new ProcessEventActivation();
        activation.setRetryMinMillis(1);
        activation.setRetryMaxMillis(20);
        return activation;
    }

    private static ProcessEvent event(String attempt, long sequence) {
        return new ProcessEvent(attempt, "n", sequence, Instant.EPOCH, EvidenceKind.SIGNAL_TERM, Map.of(), null);
    }

    private void sends(String attempt, long... sequences) {
        for (long sequence : sequences) {
            supervisor.notice(new Frame.Event(event(attempt, sequence)));
        }
    }

    private static List<String> of(List<String> entries, String attempt) {
        return entries.stream().filter(entry -> entry.startsWith(attempt)).toList();
    }

    private List<Long> acknowledged(String attempt) {
        return supervisor.received(Frame.Recorded.class).stream()
                .filter(order -> order.attemptKey().equals(attempt))
                .map(Frame.Recorded::sequence)
                .toList();
    }

    @Test
    void eventsComeInOrderPerAttemptAndAreAcknowledgedOneByOne() throws Exception {
        FakeBean bean = new FakeBean(event -> End.COMMIT);
        start(bean);
        for (int i = 1; i <= 50; i++) {
            sends("a", i);
            sends("b", i);
        }
        await("all", () -> acknowledged("a").size() == 50 && acknowledged("b").size() == 50);

        assertThat(acknowledged("a")).isSorted().doesNotHaveDuplicates();
        assertThat(of(bean.recorded, "a")).hasSize(50).containsSubsequence("a1", "a2", "a9", "a10", "a50");
        assertThat(bean.resources).isEmpty();
        assertThat(fixture.counted(Counter.EVENTS_DELIVERED)).isEqualTo(100);
    }

    @Test
    void anEventThatWasNotRecordedComesAgainBeforeTheAttemptsNextOne() throws Exception {
        Set<String> failed = ConcurrentHashMap.newKeySet();
        FakeBean bean = new FakeBean(event -> event.sequence() != 1 || !failed.add(event.attemptKey())
                ? End.COMMIT
                : event.attemptKey().equals("a") ? End.THROW : End.ROLL_BACK);
        start(bean);
        sends("a", 1, 2);
        sends("b", 1, 2);
        await("all", () -> acknowledged("a").size() == 2 && acknowledged("b").size() == 2);

        assertThat(of(bean.heard, "a")).containsExactly("a1", "a1", "a2");
        assertThat(of(bean.heard, "b")).containsExactly("b1", "b1", "b2");
        assertThat(acknowledged("b")).containsExactly(1L, 2L);
        assertThat(fixture.counted(Counter.EVENT_RETRIES)).isEqualTo(2);
    }

    @Test
    void anAttemptThatFailsForEverDoesNotHoldUpTheOthers() throws Exception {
        FakeBean bean = new FakeBean(event -> event.attemptKey().equals("bad") ? End.THROW : End.COMMIT);
        fixture.adapter.setDeliveryLanes(1);
        start(bean);
        sends("bad", 1, 2);
        sends("good", 1, 2, 3);
        await("good ones", () -> acknowledged("good").size() == 3);
        assertThat(acknowledged("bad")).isEmpty();
        assertThat(bean.heard).doesNotContain("bad2");
    }

    @Test
    void nothingIsAcknowledgedBeforeTheListenerReturned() throws Exception {
        CountDownLatch entered = new CountDownLatch(1);
        CountDownLatch leave = new CountDownLatch(1);
        FakeBean bean = new FakeBean(event -> {
            entered.countDown();
            try {
                assertThat(leave.await(20, TimeUnit.SECONDS)).isTrue();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
            return End.COMMIT;
        });
        start(bean);
        sends("a", 1);
        assertThat(entered.await(20, TimeUnit.SECONDS)).isTrue();
        AdapterFixture.get(fixture.processes().list());
        assertThat(acknowledged("a")).isEmpty();

        leave.countDown();
        await("acknowledged", () -> acknowledged("a").equals(List.of(1L)));
    }

    @Test
    void anEventSentAgainIsAcknowledgedAgainAndNotDeliveredAgain() throws Exception {
        FakeBean bean = new FakeBean(event -> End.COMMIT);
        start(bean);
        sends("a", 1, 2);
        await("both", () -> acknowledged("a").size() == 2);
        sends("a", 1, 2, 3);
        await("again", () -> acknowledged("a").contains(3L) && acknowledged("a").size() == 5);
        assertThat(bean.heard).containsExactly("a1", "a2", "a3");
    }

    @Test
    void afterAReconnectionTheListenerHearsOfItAndEventsFollow() throws Exception {
        FakeBean bean = new FakeBean(event -> End.COMMIT);
        start(bean);
        await("first", () -> bean.recorded.contains("connected own"));
        supervisor.dropConnections();
        await("again", () -> supervisor.received(Frame.Subscribe.class).size() == 2);
        sends("a", 1);
        await("event", () -> acknowledged("a").size() == 1);
        await("both notices", () -> Collections.frequency(bean.recorded, "connected own") >= 2);
        await("the event", () -> bean.recorded.contains("a1"));
        assertThat(bean.recorded)
                .containsSubsequence("connected own", "lost own", "connected own")
                .contains("a1");
    }

    @Test
    void aSecondListenerIsRefusedUntilTheFirstIsGone() throws Exception {
        FakeBean first = new FakeBean(event -> End.COMMIT);
        FakeBean second = new FakeBean(event -> End.COMMIT);
        start(first);
        assertThatThrownBy(() -> fixture.adapter.endpointActivation(second, activation()))
                .isInstanceOf(NotSupportedException.class);

        fixture.adapter.endpointDeactivation(first, activation());
        fixture.adapter.endpointActivation(second, activation());
        assertThat(fixture.processes().supervisors()).hasSize(1);
    }

    @Test
    void anActivationWithPausesThatMakeNoSenseIsRefused() {
        ProcessEventActivation activation = activation();
        activation.setRetryMinMillis(30);
        assertThatThrownBy(activation::validate)
                .isInstanceOf(InvalidPropertyException.class)
                .hasMessageContaining("retryMaxMillis");
    }

    @Test
    void anEventBehindAGapWaitsUntilTheMissingOneCame() throws Exception {
        FakeBean bean = new FakeBean(event -> End.COMMIT);
        start(bean);
        sends("a", 1);
        await("first", () -> acknowledged("a").size() == 1);
        supervisor.on(Frame.Subscribe.class, (connection, order) -> {
            connection.send(0, new Frame.Event(event("a", 2)));
            connection.send(0, new Frame.Event(event("a", 3)));
            return new Frame.Done();
        });
        sends("a", 3);
        await("asked again", () -> acknowledged("a").size() == 3);
        assertThat(bean.heard).containsExactly("a1", "a2", "a3");
    }
}
