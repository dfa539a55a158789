package org.berth.harness.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.berth.harness.store.Sessions.LARGE;
import static org.berth.harness.store.Sessions.NOW;

import jakarta.persistence.PersistenceException;
import java.util.List;
import org.berth.harness.session.CallRecord;
import org.berth.harness.session.CallStep;
import org.berth.persistence.TestDatabase;
import org.berth.placement.store.StoreFailures;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** What the store of call records promises, on every database. */
@ParameterizedClass
@EnumSource(TestDatabase.class)
class CallRepositoryContractTest {
    @Parameter
    TestDatabase database;

    @BeforeEach
    void twoSessions() {
        database.clear();
        Sessions.store(database, "s1", "s2");
    }

    @Test
    void a_call_has_its_start_and_then_its_settle() {
        CallRecord settle = new CallRecord("s1", "c1", CallStep.SETTLE, LARGE, NOW);
        CallRecord start = new CallRecord("s1", "c1", CallStep.START, "{\"tool\":\"bash\"}", NOW);
        CallRecord other = new CallRecord("s1", "c2", CallStep.START, "{}", NOW);
        insert(settle, start, other);
        assertThat(ofCall("s1", "c1")).containsExactly(start, settle);
        assertThat(ofCall("s1", "c2")).containsExactly(other);
        assertThat(ofCall("s2", "c1")).isEmpty();
    }

    @Test
    void a_second_record_of_the_same_step_is_refused() {
        for (CallStep step : CallStep.values()) {
            CallRecord first = new CallRecord("s1", step.name(), step, "{\"n\":1}", NOW);
            insert(first);
            assertThatExceptionOfType(CallRecordedException.class)
                    .isThrownBy(() -> insert(new CallRecord("s1", step.name(), step, "{\"n\":2}", NOW)))
                    .satisfies(refused -> {
                        assertThat(refused.step()).isEqualTo(step);
                        assertThat(StoreFailures.taken(refused)).isTrue();
                    });
            assertThat(ofCall("s1", step.name())).containsExactly(first);
        }
    }

    @Test
    void a_second_record_within_one_transaction_is_refused_as_well() {
        CallRecord start = new CallRecord("s1", "c1", CallStep.START, "{}", NOW);
        assertThatExceptionOfType(CallRecordedException.class).isThrownBy(() -> insert(start, start));
        assertThat(ofCall("s1", "c1")).isEmpty();
    }

    @Test
    void another_sessions_call_may_have_the_same_id() {
        insert(new CallRecord("s1", "c1", CallStep.START, "{}", NOW));
        insert(new CallRecord("s2", "c1", CallStep.START, "{}", NOW));
        assertThat(ofCall("s2", "c1")).hasSize(1);
    }

    @Test
    void no_record_is_stored_without_its_session_and_that_is_no_second_record() {
        assertThatExceptionOfType(PersistenceException.class)
                .isThrownBy(() -> insert(new CallRecord("none", "c1", CallStep.START, "{}", NOW)));
    }

    @Test
    void the_records_of_a_session_are_counted() {
        assertThat(count("s1")).isZero();
        insert(
                new CallRecord("s1", "c1", CallStep.START, "{}", NOW),
                new CallRecord("s1", "c1", CallStep.SETTLE, "{}", NOW),
                new CallRecord("s1", "c2", CallStep.START, "{}", NOW),
                new CallRecord("s2", "c1", CallStep.START, "{}", NOW));
        assertThat(count("s1")).isEqualTo(3);
        assertThat(count("s2")).isEqualTo(1);
    }

    private void insert(CallRecord... records) {
        database.inTransaction(entities -> {
            for (CallRecord each : records) {
                new CallRepository(entities).insert(each);
            }
            return null;
        });
    }

    private List<CallRecord> ofCall(String sessionId, String callId) {
        return database.reading(entities -> new CallRepository(entities).ofCall(sessionId, callId));
    }

    private long count(String sessionId) {
        return database.reading(entities -> new CallRepository(entities).count(sessionId));
    }
}
