package org.berth.placement.service;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Proxy;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.berth.placement.Attempt;
import org.berth.placement.Capability;
import org.berth.placement.CleanupState;
import org.berth.placement.ExecutionState;
import org.berth.placement.Exit;
import org.berth.placement.ExitObservation;
import org.berth.placement.FenceOutcome;
import org.berth.placement.OutputRecipient;
import org.berth.placement.OutputStreamKind;
import org.berth.placement.ProcessIdentity;
import org.berth.placement.Processes;
import org.junit.jupiter.api.Test;

class LiveStreamsTest {
    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
    private static final ProcessIdentity CHILD = new ProcessIdentity(7, 7, 70, "boot", null);

    private final List<String> orders = new ArrayList<>();
    private final List<String> told = new ArrayList<>();
    private final LiveStreams streams = new LiveStreams(
            new ProcessesGateway() {
                @Override
                public <R> R call(Function<Processes, R> order) {
                    return order.apply(processes());
                }
            },
            new AttemptLedger() {
                @Override
                public Optional<Attempt> find(String attemptId) {
                    return Optional.empty();
                }
            });

    /** Takes every recipient. */
    private Processes processes() {
        return (Processes) Proxy.newProxyInstance(
                Processes.class.getClassLoader(), new Class<?>[] {Processes.class}, (proxy, method, arguments) -> {
                    orders.add(method.getName());
                    return CompletableFuture.completedFuture(new FenceOutcome(true, 1, true, true));
                });
    }

    private final OutputRecipient recipient = new OutputRecipient() {
        @Override
        public void chunk(OutputStreamKind stream, long sequence, byte[] data, boolean eof, boolean truncated) {
            told.add("chunk");
        }

        @Override
        public void exited(Exit exit) {
            told.add("exited");
        }

        @Override
        public void fenced(long generation) {
            told.add("fenced");
        }

        @Override
        public void lost() {
            told.add("lost");
        }
    };

    private static Attempt attempt(ExecutionState state, ProcessIdentity identity, Exit exit) {
        return new Attempt(
                "a",
                "x",
                "o",
                1,
                "k",
                "0".repeat(64),
                "{}",
                "1".repeat(32),
                "2".repeat(32),
                "h",
                "default",
                "/bin/true",
                "s",
                "3".repeat(32),
                "3".repeat(32),
                List.of(),
                state,
                CleanupState.PENDING,
                Capability.PROCESS_GROUP,
                Capability.PROCESS_GROUP,
                ExitObservation.INDEPENDENT,
                "runner",
                identity,
                exit,
                null,
                null,
                1,
                0,
                0,
                NOW,
                NOW,
                null,
                0);
    }

    @Test
    void who_came_before_the_child_was_known_gets_its_output_though_it_ended_meanwhile() {
        streams.connect(attempt(ExecutionState.STARTING, null, null), 1, recipient);
        assertThat(orders).isEmpty();

        streams.observed(attempt(ExecutionState.EXITED, CHILD, new Exit.Exited(5)));
        assertThat(orders).containsExactly("receive");
        assertThat(told).isEmpty();
    }

    @Test
    void who_receives_already_is_not_asked_for_again() {
        streams.connect(attempt(ExecutionState.RUNNING, CHILD, null), 1, recipient);
        streams.observed(attempt(ExecutionState.EXITED, CHILD, new Exit.Exited(5)));
        streams.started(attempt(ExecutionState.EXITED, CHILD, new Exit.Exited(5)));
        assertThat(orders).containsExactly("receive");
    }

    @Test
    void who_waits_for_what_never_had_a_child_is_told() {
        streams.connect(attempt(ExecutionState.STARTING, null, null), 1, recipient);
        streams.observed(attempt(ExecutionState.STARTING, null, null));
        assertThat(told).isEmpty();
        streams.observed(attempt(ExecutionState.EXITED, null, new Exit.Unknown("gone")));
        assertThat(told).containsExactly("exited");
        assertThat(orders).isEmpty();
    }
}
