package org.berth.placement.service;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.UUID;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.AlphaChars;
import net.jqwik.api.constraints.Chars;
import net.jqwik.api.constraints.NumericChars;
import net.jqwik.api.constraints.StringLength;

class AgentConversationTest {
    @Property
    void each_pair_of_owner_and_session_has_a_conversation_of_its_own(
            @ForAll @AlphaChars @NumericChars @Chars({'.', ':', '@', '-'}) @StringLength(min = 1, max = 6) String owner,
            @ForAll @AlphaChars @NumericChars @Chars({'.', ':', '@', '-', '/'}) @StringLength(min = 1, max = 6)
                    String session,
            @ForAll @AlphaChars @Chars({'.', ':'}) @StringLength(min = 1, max = 6) String otherOwner,
            @ForAll @AlphaChars @Chars({'.', ':', '/'}) @StringLength(min = 1, max = 6) String otherSession) {
        String id = AgentConversation.id(owner, session);

        assertThat(UUID.fromString(id)).hasToString(id);
        assertThat(id.equals(AgentConversation.id(otherOwner, otherSession)))
                .isEqualTo(List.of(owner, session).equals(List.of(otherOwner, otherSession)));
        assertThat(id).isNotEqualTo(AgentConversation.id(owner + session, session));
    }
}
