package org.berth.activity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.security.SecureRandom;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.berth.problem.BerthException;
import org.berth.problem.ProblemCode;
import org.berth.rig.GenerationState;

class GrantRulesTest {
    private static final ActivityGrant GRANT =
            new ActivityGrant("activity-1", "0".repeat(64), "node-1", "gen-1", "owner", Instant.EPOCH, null, null);
    private static final String SEAT = "worker@team";

    @Example
    void onlyAGrantThatHoldsAuthenticates() {
        assertThat(GrantRules.authenticate(Optional.of(GRANT))).isSameAs(GRANT);
        BerthException unknown = refusal(() -> GrantRules.authenticate(Optional.empty()));
        assertThat(unknown.code()).isEqualTo(ProblemCode.ACTIVITY_GRANT_UNKNOWN);
        assertThat(unknown.status()).isEqualTo(401);
        assertThat(unknown).hasMessage("unauthorized");
        ActivityGrant revoked = new ActivityGrant(
                "activity-1",
                "0".repeat(64),
                "node-1",
                "gen-1",
                "owner",
                Instant.EPOCH,
                Instant.EPOCH,
                ActivityGrant.REISSUED);
        assertThat(refusal(() -> GrantRules.authenticate(Optional.of(revoked))).code())
                .isEqualTo(ProblemCode.ACTIVITY_GRANT_REVOKED);
    }

    @Example
    void theGrantsOwnSeatMayPostWhateverItLeavesOut() {
        assertThatCode(() -> GrantRules.permit(GRANT, post(null, null, null), SEAT, GenerationState.CURRENT))
                .doesNotThrowAnyException();
        assertThatCode(() -> GrantRules.permit(GRANT, post(SEAT, "node-1", "gen-1"), SEAT, GenerationState.CURRENT))
                .doesNotThrowAnyException();
    }

    @Property
    void anotherSeatOrNodeIsRefusedFirst(@ForAll GenerationState state) {
        assertThat(code(post("other@team", null, null), SEAT, state)).isEqualTo(ProblemCode.ACTIVITY_GRANT_WRONG_SEAT);
        assertThat(code(post(SEAT, "node-2", null), SEAT, state)).isEqualTo(ProblemCode.ACTIVITY_GRANT_WRONG_SEAT);
        assertThat(code(post("other@team", "node-1", "gen-2"), SEAT, state))
                .isEqualTo(ProblemCode.ACTIVITY_GRANT_WRONG_SEAT);
    }

    @Property
    void aClaimedGenerationOfAnotherLaunchIsStale(@ForAll GenerationState state) {
        assertThat(code(post(SEAT, "node-1", "gen-2"), SEAT, state)).isEqualTo(ProblemCode.ACTIVITY_GRANT_STALE);
    }

    @Example
    void aReplacedOccupantIsStaleAndAnUnregisteredOnePending() {
        assertThat(code(post(null, null, null), SEAT, GenerationState.STALE))
                .isEqualTo(ProblemCode.ACTIVITY_GRANT_STALE);
        assertThat(code(post(null, null, "gen-1"), SEAT, GenerationState.PENDING))
                .isEqualTo(ProblemCode.ACTIVITY_GRANT_PENDING);
        assertThat(code(post(null, null, null), null, GenerationState.PENDING))
                .as("its node is gone")
                .isEqualTo(ProblemCode.ACTIVITY_GRANT_STALE);
    }

    @Example
    void bothBodiesAreRead() {
        HookPost relayed = HookPost.of(Map.of(
                "runtime", "synth",
                "hookEvent", "UserPromptSubmit",
                "subtype", "accepted",
                "occurredAt", "2026-01-31T12:00:00.5Z",
                "sessionName", SEAT,
                "more", 1));
        assertThat(relayed)
                .isEqualTo(new HookPost(
                        "synth",
                        "UserPromptSubmit",
                        "accepted",
                        Instant.parse("2026-01-31T12:00:00.5Z"),
                        SEAT,
                        null,
                        null,
                        null));
        HookPost own = HookPost.of(Map.of(
                "hook_event_name", "Notification",
                "notification_type", "idle_prompt",
                "session_id", "s-1",
                "cwd", "/sandbox/openrig",
                "nodeId", "node-2"));
        assertThat(own)
                .as("the agent's own body claims no seat")
                .isEqualTo(new HookPost("claude-code", "Notification", "idle_prompt", null, null, null, null, "s-1"));
    }

    @Example
    void aMalformedBodyIsRefusedByTheNameOfItsMember() {
        for (Map.Entry<String, Object> fault : Map.<String, Object>of(
                        "runtime",
                        7,
                        "hookEvent",
                        "",
                        "occurredAt",
                        "yesterday",
                        "sessionName",
                        "a\nb",
                        "generation",
                        "g".repeat(161))
                .entrySet()) {
            Map<String, Object> body = new LinkedHashMap<>(Map.of("runtime", "synth", "hookEvent", "Stop"));
            body.put(fault.getKey(), fault.getValue());
            BerthException refused = refusal(() -> HookPost.of(body));
            assertThat(refused.code()).isEqualTo(ProblemCode.INVALID);
            assertThat(refused).hasMessageStartingWith(fault.getKey());
        }
        assertThat(refusal(() -> HookPost.of(Map.of())).code()).isEqualTo(ProblemCode.INVALID);
    }

    @Example
    void tokensTellTheirKindAndAreHashedWhole() {
        String token = SecretToken.issue(new SecureRandom(), SecretToken.ACTIVITY);
        assertThat(token).startsWith("berth-activity-");
        assertThat(SecretToken.wellFormed(token)).isTrue();
        assertThat(SecretToken.wellFormed(token + "x")).isFalse();
        assertThat(SecretToken.wellFormed("")).isFalse();
        assertThat(SecretToken.hash(token)).hasSize(64).isNotEqualTo(SecretToken.hash(token.replace("-", "_")));
    }

    private static HookPost post(String seat, String node, String generation) {
        return new HookPost("synth", "Stop", null, null, seat, node, generation, null);
    }

    private static ProblemCode code(HookPost post, String seat, GenerationState state) {
        return refusal(() -> GrantRules.permit(GRANT, post, seat, state)).code();
    }

    private static BerthException refusal(ThrowingCallable call) {
        BerthException refusal = catchThrowableOfType(BerthException.class, call);
        assertThat(refusal).isNotNull();
        return refusal;
    }
}
