package org.berth.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.berth.driver.Samples.CONVERSATION;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.berth.driver.shipped.OpenCodeDriver;
import org.berth.problem.BerthException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Each expected text was given to OpenCode 1.18.33 and taken by it. Source: docs/drivers.md. */
class OpenCodeDriverTest {
    private static final String FILE = ".config/berth/opencode.json";
    private static final String SCHEMA = "\"$schema\":\"https://opencode.ai/config.json\"";

    private static final String NOTHING =
            "\"permission\":{\"bash\":\"deny\",\"edit\":\"deny\",\"external_directory\":\"deny\"}";
    private static final String EDITS =
            "\"permission\":{\"bash\":\"ask\",\"edit\":\"allow\",\"external_directory\":\"ask\"}";

    private final AgentDriver openCode = new OpenCodeDriver();

    @Test
    void aBatchReadsItsPromptFromStandardInput() {
        assertThat(openCode.command(Samples.first("batch", "--model x")))
                .isEqualTo(AgentCommand.reading("--model x", List.of("run")));
        assertThat(openCode.command(Samples.next("batch", "hi")))
                .isEqualTo(AgentCommand.reading("hi", List.of("run", "--continue")));
    }

    @Test
    void aWindowTakesItsPromptAsTheValueOfAnOption() {
        assertThat(openCode.command(Samples.run("window", null)).argv()).isEmpty();
        assertThat(openCode.command(Samples.next("window", "-x")).argv()).containsExactly("--continue", "--prompt=-x");
    }

    @Test
    void aPlainPolicyForbidsEditsAndCommands() {
        assertThat(openCode.render(Samples.plain("batch")))
                .isEqualTo(new Delivery(
                        List.of(),
                        List.of(new DeliveredFile(
                                FILE,
                                "{" + SCHEMA + ",\"agent\":{\"build\":{" + NOTHING + "}},\"autoupdate\":false,"
                                        + "\"default_agent\":\"build\"," + NOTHING
                                        + ",\"share\":\"disabled\"}"))));
    }

    @Test
    void aWholePolicyIsTwoFiles() {
        assertThat(openCode.render(Samples.full("window", "http://127.0.0.1:9/v1")))
                .isEqualTo(new Delivery(
                        List.of(),
                        List.of(
                                new DeliveredFile(
                                        FILE,
                                        "{" + SCHEMA + ",\"agent\":{\"build\":{" + EDITS + "}},\"autoupdate\":false,"
                                                + "\"default_agent\":\"build\",\"instructions\":[\"" + Samples.HOME
                                                + "/.config/berth/berth.md\"],\"mcp\":{\"berth\":{\"enabled\":true,"
                                                + "\"headers\":{\"Authorization\":\"Bearer {env:BERTH_TOOLS_TOKEN}\"},"
                                                + "\"oauth\":false,\"type\":\"remote\","
                                                + "\"url\":\"http://127.0.0.1:7001/mcp\"}},\"model\":\"berth/model-1\","
                                                + EDITS + ",\"provider\":{\"berth\":{\"models\":"
                                                + "{\"model-1\":{\"options\":{\"reasoningEffort\":\"high\"}}},"
                                                + "\"name\":\"berth\",\"npm\":\"@ai-sdk/openai-compatible\",\"options\":"
                                                + "{\"apiKey\":\"{env:MODEL_KEY}\","
                                                + "\"baseURL\":\"http://127.0.0.1:9/v1\"}}},\"share\":\"disabled\"}"),
                                new DeliveredFile(".config/berth/berth.md", "Be brief."))));
    }

    @Test
    void withoutAnEndpointTheModelNamesItsProviderAndTheEffortIsAVariant() {
        assertThat(openCode.render(Samples.full("batch", null))
                        .files()
                        .getFirst()
                        .content())
                .contains("\"model\":\"model-1\"", "\"variant\":\"high\"")
                .contains("\"bash\":\"deny\"")
                .doesNotContain("provider");
    }

    @Test
    void noTextOfThePolicyIsTakenAsAReference() {
        DriverInputs inputs =
                new DriverInputs("batch", "{file:/etc/passwd}", null, null, false, null, null, null, Samples.HOME);
        assertThatThrownBy(() -> openCode.render(inputs))
                .isInstanceOf(BerthException.class)
                .hasMessageContaining("model of the policy");
    }

    @Test
    void anEndpointNeedsAModel() {
        DriverInputs inputs =
                new DriverInputs("batch", null, null, null, false, "http://127.0.0.1:9/v1", null, null, Samples.HOME);
        assertThatThrownBy(() -> openCode.render(inputs))
                .isInstanceOf(BerthException.class)
                .hasMessageContaining("model");
    }

    @Test
    void itsDatabaseIsWhereConversationsAre(@TempDir Path home) throws IOException {
        Path data = Files.createDirectories(home.resolve(".local/share/opencode"));
        assertThat(openCode.hasConversation(home, CONVERSATION)).isFalse();
        Files.createFile(data.resolve("opencode.db"));
        assertThat(openCode.hasConversation(home, CONVERSATION)).isTrue();
    }

    @Test
    void itsRootsAndItsLoginAreDeclared() {
        assertThat(openCode.definition().homeVariables())
                .containsEntry("XDG_CONFIG_HOME", ".config")
                .containsEntry("XDG_DATA_HOME", ".local/share")
                .containsEntry("XDG_STATE_HOME", ".local/state")
                .containsEntry("XDG_CACHE_HOME", ".cache")
                .containsEntry("OPENCODE_CONFIG_DIR", ".config/berth")
                .hasSize(5);
        assertThat(openCode.definition().loginFile())
                .isEqualTo(new DriverDefinition.LoginFile(
                        ".local/share/opencode/auth.json", List.of("~/.local/share/opencode/auth.json")));
    }
}
