package org.berth.harness.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Instant;
import org.junit.jupiter.api.Test;

class HarnessSessionTest {
    private static final Instant NOW = Instant.parse("2026-03-01T10:00:00Z");
    private static final Instant LATER = NOW.plusSeconds(1);

    private final HarnessSession session = new HarnessSession(
            "s",
            "owner",
            "host",
            "/srv",
            "\"off\"",
            10,
            null,
            null,
            WorkspaceMode.ISOLATED,
            null,
            null,
            0,
            SessionState.OPEN,
            null,
            null,
            NOW,
            NOW,
            7);

    @Test
    void anEntryBecomesTheHead() {
        HarnessSession first = session.withEntry(entry("s", 1, "a", null));
        assertThat(first.headEntryId()).isEqualTo("a");
        assertThat(first.lastEntry()).isEqualTo(1);
        assertThat(first.updatedAt()).isEqualTo(LATER);
        assertThat(first.createdAt()).isEqualTo(NOW);
        assertThat(first.version()).isEqualTo(7);
        assertThat(first.withEntry(entry("s", 2, "b", "a")).headEntryId()).isEqualTo("b");
    }

    @Test
    void anEntryThatDoesNotFollowTheHeadIsRefused() {
        HarnessSession first = session.withEntry(entry("s", 1, "a", null));
        for (Entry wrong : new Entry[] {
            entry("other", 2, "b", "a"), entry("s", 1, "b", "a"), entry("s", 3, "b", "a"), entry("s", 2, "b", null)
        }) {
            assertThatIllegalArgumentException().isThrownBy(() -> first.withEntry(wrong));
        }
    }

    @Test
    void aSequenceIsNotUsedAgainAfterTheHeadMovedBack() {
        HarnessSession moved = session.withEntry(entry("s", 1, "a", null)).withHead(null, LATER.plusSeconds(1));
        assertThat(moved.headEntryId()).isNull();
        assertThat(moved.nextEntry()).isEqualTo(2);
        assertThat(moved.updatedAt()).isEqualTo(LATER.plusSeconds(1));
        assertThat(moved.withEntry(entry("s", 2, "b", null)).lastEntry()).isEqualTo(2);
    }

    @Test
    void anEndIsFinalUntilTheSessionIsReopened() {
        HarnessSession ended = session.withEnd("answered", LATER);
        assertThat(ended.state()).isEqualTo(SessionState.ENDED);
        assertThat(ended.outcome()).isEqualTo("answered");
        assertThat(ended.withEnd("cancelled", LATER)).isSameAs(ended);
        HarnessSession handedBack = ended.withHandBack("{}", LATER);
        assertThat(handedBack.handBackJson()).isEqualTo("{}");
        assertThat(handedBack.outcome()).isEqualTo("answered");
        HarnessSession reopened = handedBack.withReopening("/srv/other", "grant-other", LATER);
        assertThat(reopened.state()).isEqualTo(SessionState.OPEN);
        assertThat(reopened.outcome()).isNull();
        assertThat(reopened.cwd()).isEqualTo("/srv/other");
        assertThat(reopened.handBackJson()).isEqualTo("{}");
    }

    @Test
    void entriesAreCountedFromOneAndDocumentsFromNone() {
        assertThatIllegalArgumentException().isThrownBy(() -> entry("s", 0, "a", null));
        assertThatIllegalArgumentException().isThrownBy(() -> new StateDocument("s", "berth.job", "j", "{}", -1, NOW));
        assertThat(new StateDocument("s", "berth.job", "j", "{}", 0, NOW).afterEntry())
                .isZero();
    }

    private static Entry entry(String sessionId, long sequence, String entryId, String parentId) {
        return new Entry(sessionId, sequence, entryId, parentId, "message", "{}", LATER);
    }
}
