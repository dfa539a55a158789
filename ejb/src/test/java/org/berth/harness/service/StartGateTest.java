package org.berth.harness.service;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class StartGateTest {
    private final StartGate gate = new StartGate();
    private final List<String> entered = new ArrayList<>();

    private boolean pass(StartGate.Start start, String name) {
        return gate.pass(start, () -> entered.add(name));
    }

    @Test
    void aStepBackForbidsWhatBeganAfterTheEntryAndNothingElse() {
        StartGate.Start older = gate.begin(1);
        StartGate.Start orphan = gate.begin(2);
        gate.rewind(2);
        StartGate.Start later = gate.begin(2);

        assertThat(pass(older, "older")).isTrue();
        assertThat(pass(orphan, "orphan")).isFalse();
        assertThat(pass(later, "later")).isTrue();
        assertThat(entered).containsExactly("older", "later");
    }

    @Test
    void anEndForbidsWhatIsOnItsWayAndTakesNothingNew() {
        StartGate.Start start = gate.begin(0);
        gate.close();

        assertThat(gate.begin(0)).isNull();
        assertThat(pass(start, "start")).isFalse();
        assertThat(entered).isEmpty();
    }

    @Test
    void whatRunsAndIsStillOnItsWayIsStoppedOnceByAStepBack() {
        StartGate.Start older = gate.begin(1);
        StartGate.Start orphan = gate.begin(2);
        assertThat(gate.go(older, () -> entered.add("older"), () -> entered.add("older stopped")))
                .isTrue();
        assertThat(gate.go(orphan, () -> entered.add("orphan"), () -> entered.add("orphan stopped")))
                .isTrue();
        gate.rewind(2);
        gate.rewind(2);

        assertThat(entered).containsExactly("older", "orphan", "orphan stopped");
        assertThat(gate.isForbidden(orphan)).isTrue();
        assertThat(pass(orphan, "orphan's job")).isFalse();
        assertThat(pass(older, "older's job")).isTrue();
    }

    @Test
    void whatWasForbiddenDoesNoStep() {
        StartGate.Start orphan = gate.begin(2);
        gate.rewind(0);
        assertThat(gate.go(orphan, () -> entered.add("orphan"), () -> entered.add("stopped")))
                .isFalse();
        assertThat(entered).isEmpty();
    }

    @Test
    void whatIsOverIsNotStopped() {
        StartGate.Start start = gate.begin(2);
        gate.go(start, () -> {}, () -> entered.add("stopped"));
        gate.giveUp(start);
        gate.close();
        assertThat(entered).isEmpty();
    }

    @Test
    void anEndThatWasNotReachedLetsTheSessionGoOn() {
        gate.close();
        gate.open();
        StartGate.Start start = gate.begin(0);
        assertThat(pass(start, "start")).isTrue();
    }
}
