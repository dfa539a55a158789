package org.berth.activity;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.LongRange;

class ActivityRulesTest {
    private static final Instant NOW = Instant.parse("2026-01-31T12:00:00Z");

    @Example
    void eachHookDecidesItsState() {
        for (String event : new String[] {"UserPromptSubmit", "PreToolUse", "PostToolUse"}) {
            assertThat(ActivityRules.decides(event, null)).contains(ActivityState.RUNNING);
        }
        assertThat(ActivityRules.decides("UserPromptSubmit", "accepted")).contains(ActivityState.RUNNING);
        assertThat(ActivityRules.decides("PermissionRequest", null)).contains(ActivityState.NEEDS_INPUT);
        assertThat(ActivityRules.decides("Notification", "permission_prompt")).contains(ActivityState.NEEDS_INPUT);
        assertThat(ActivityRules.decides("Notification", "elicitation_dialog")).contains(ActivityState.NEEDS_INPUT);
        assertThat(ActivityRules.decides("Notification", "idle_prompt")).contains(ActivityState.IDLE);
        assertThat(ActivityRules.decides("idle_prompt", null)).contains(ActivityState.IDLE);
        assertThat(ActivityRules.decides("Stop", null)).contains(ActivityState.IDLE);
    }

    @Example
    void whatSaysNothingAboutWorkDecidesNothing() {
        assertThat(ActivityRules.decides("Notification", "auth_success")).isEmpty();
        assertThat(ActivityRules.decides("Notification", null)).isEmpty();
        assertThat(ActivityRules.decides("SubagentStop", null)).isEmpty();
    }

    @Example
    void anAgentThatBeginsOrEndsIsNotIdle() {
        assertThat(ActivityRules.decides("SessionStart", null)).contains(ActivityState.UNKNOWN);
        assertThat(ActivityRules.decides("SessionEnd", null)).contains(ActivityState.UNKNOWN);
    }

    @Property
    void anUnknownHookNeverReadsAsIdle(@ForAll("names") String event, @ForAll("names") String subtype) {
        Optional<ActivityState> decided = ActivityRules.decides(event, subtype);
        assertThat(decided.filter(ActivityState.IDLE::equals).isPresent())
                .isEqualTo(event.equals("Stop")
                        || event.equals("StopFailure")
                        || event.equals("idle_prompt")
                        || event.equals("Notification") && subtype.equals("idle_prompt"));
    }

    @Example
    void withoutAnEventNothingIsKnown() {
        ActivityReading reading = ActivityRules.read(Optional.empty(), NOW);
        assertThat(reading.state()).isEqualTo(ActivityState.UNKNOWN);
        assertThat(reading.stale()).isFalse();
    }

    @Property
    void anEventDecidesForFiveMinutesAndNotLonger(@ForAll @LongRange(min = 0, max = 900_000) long ageMillis) {
        ActivityEvent event = event(NOW.minusMillis(ageMillis));
        ActivityReading reading = ActivityRules.read(Optional.of(event), NOW);
        boolean fresh = ageMillis <= 300_000;
        assertThat(reading.stale()).isEqualTo(!fresh);
        assertThat(reading.state()).isEqualTo(fresh ? ActivityState.IDLE : ActivityState.UNKNOWN);
        assertThat(reading.last()).contains(event);
    }

    @Property
    void noEventIsNewerThanItsReceipt(@ForAll @LongRange(min = -900, max = 900) long offset) {
        Instant claimed = NOW.plus(Duration.ofSeconds(offset));
        Instant occurred = ActivityRules.occurred(claimed, NOW);
        assertThat(occurred).isBeforeOrEqualTo(NOW).isEqualTo(offset <= 0 ? claimed : NOW);
        assertThat(ActivityRules.occurred(null, NOW)).isEqualTo(NOW);
    }

    @Provide
    Arbitrary<String> names() {
        return Arbitraries.oneOf(
                Arbitraries.of("Stop", "StopFailure", "Notification", "idle_prompt", "PreToolUse", "SessionEnd"),
                Arbitraries.strings().alpha().ofMinLength(1).ofMaxLength(20));
    }

    private static ActivityEvent event(Instant occurredAt) {
        return new ActivityEvent(
                1, "n", "a@b", "g", "synth", "Stop", null, null, ActivityState.IDLE, occurredAt, NOW, "activity-1");
    }
}
