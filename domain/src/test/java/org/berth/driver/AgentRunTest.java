package org.berth.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.berth.placement.LaunchMode;
import org.junit.jupiter.api.Test;

class AgentRunTest {
    private static final String ID = "6f1c3b1e-0a55-4f0e-9a7e-2f6f1d9c8b7a";
    private static final DriverProfile BATCH =
            new DriverProfile("batch", LaunchMode.PIPES, DriverProfile.Input.ARGUMENT, true);
    private static final DriverProfile WINDOW =
            new DriverProfile("window", LaunchMode.WINDOW, DriverProfile.Input.TERMINAL, true);
    private static final DriverDefinition DEFINITION = new DriverDefinition(
            "sample",
            "1",
            "sample",
            Map.of("batch", BATCH, "window", WINDOW),
            Map.of(),
            null,
            List.of(),
            List.of(),
            Set.of());

    @Test
    void aRunFitsAProfileOfItsDriver() {
        assertThat(new AgentRun("batch", "hi", null, false).in(DEFINITION)).isEqualTo(BATCH);
        assertThat(new AgentRun("window", null, ID, true).in(DEFINITION)).isEqualTo(WINDOW);
        assertThatThrownBy(() -> new AgentRun("session", "hi", null, false).in(DEFINITION))
                .hasMessageContaining("profile session")
                .hasMessageContaining("batch");
    }

    @Test
    void onlyAWindowSaysNothing() {
        assertThatThrownBy(() -> new AgentRun("batch", null, null, false).in(DEFINITION))
                .hasMessageContaining("prompt");
        assertThatThrownBy(() -> new AgentRun("batch", " \n", null, false).in(DEFINITION))
                .hasMessageContaining("prompt");
    }

    @Test
    void aConversationIsAUuid() {
        for (String wrong : List.of("", "..", "../../etc", ID.toUpperCase(Locale.ROOT), ID + "/x", "--x")) {
            assertThatThrownBy(() -> new AgentRun("batch", "hi", wrong, false)).hasMessageContaining("conversation_id");
        }
    }

    @Test
    void onlyAConversationGoesOn() {
        assertThatThrownBy(() -> new AgentRun("batch", "hi", null, true)).hasMessageContaining("resume");
    }

    @Test
    void noArgumentHoldsNul() {
        assertThatThrownBy(() -> new AgentRun("batch", "a\0b", null, false)).hasMessageContaining("NUL");
    }

    @Test
    void aKeyIsOnlyForAnEndpoint() {
        assertThatThrownBy(() ->
                        new DriverInputs("batch", null, null, null, false, null, "KEY", null, Path.of("/state/home")))
                .hasMessageContaining("endpoint");
    }
}
