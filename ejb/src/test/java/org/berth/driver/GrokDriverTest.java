package org.berth.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.berth.driver.Samples.CONVERSATION;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.berth.driver.shipped.GrokDriver;
import org.berth.problem.BerthException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Each expected text was given to Grok Build 1.0.41 and taken by it. Source: docs/drivers.md. */
class GrokDriverTest {
    private final AgentDriver grok = new GrokDriver();

    @Test
    void aBatchTakesItsPromptAsTheValueOfAnOption() {
        assertThat(grok.command(Samples.run("batch", "--model x")))
                .isEqualTo(AgentCommand.ofArguments(List.of("--output-format=plain", "--single=--model x")));
        assertThat(grok.command(Samples.first("batch", "hi")).argv())
                .containsExactly("--session-id=" + CONVERSATION, "--output-format=plain", "--single=hi");
        assertThat(grok.command(Samples.next("batch", "hi")).argv())
                .containsExactly("--resume=" + CONVERSATION, "--output-format=plain", "--single=hi");
    }

    @Test
    void aWindowTakesItsPromptBehindTheEndOfTheOptions() {
        assertThat(grok.command(Samples.run("window", null)).argv()).isEmpty();
        assertThat(grok.command(Samples.next("window", "-x")).argv())
                .containsExactly("--resume=" + CONVERSATION, "--", "-x");
    }

    @Test
    void aPlainPolicyForbidsEditsAndCommands() {
        assertThat(grok.render(Samples.plain("window")))
                .isEqualTo(new Delivery(
                        List.of("--permission-mode=default"), List.of(new DeliveredFile(".grok/config.toml", """

                                [cli]
                                auto_update = false

                                [features]
                                telemetry = false

                                [permission]
                                allow = []
                                deny = ["Edit", "Write", "Bash"]
                                """))));
    }

    @Test
    void aWholePolicyIsArgumentsAndOneFile() {
        assertThat(grok.render(Samples.full("batch", "http://127.0.0.1:9/v1")))
                .isEqualTo(new Delivery(
                        List.of(
                                "--permission-mode=default",
                                "--model=berth",
                                "--reasoning-effort=high",
                                "--rules=Be brief."),
                        List.of(new DeliveredFile(".grok/config.toml", """

                                [cli]
                                auto_update = false

                                [features]
                                telemetry = false

                                [permission]
                                allow = ["Edit", "Write", "MCPTool(berth__*)"]
                                deny = ["Bash"]

                                [model.berth]
                                model = "model-1"
                                base_url = "http://127.0.0.1:9/v1"
                                env_key = "MODEL_KEY"
                                supports_reasoning_effort = true

                                [mcp_servers.berth]
                                url = "http://127.0.0.1:7001/mcp"

                                [mcp_servers.berth.headers]
                                Authorization = "Bearer ${BERTH_TOOLS_TOKEN}"

                                [shell_environment_policy]
                                exclude = ["MODEL_KEY", "BERTH_TOOLS_TOKEN", "BERTH_HOOKS_TOKEN"]
                                """))));
    }

    @Test
    void aPersonInAWindowMayAllowCommandsOfWhoMayEdit() {
        assertThat(grok.render(Samples.full("window", null)).files().getFirst().content())
                .contains("deny = []");
        assertThat(grok.render(Samples.full("window", null)).arguments()).contains("--model=model-1");
    }

    @Test
    void anEndpointNeedsAModel() {
        DriverInputs inputs = new DriverInputs(
                "batch", null, null, null, false, "http://127.0.0.1:9/v1", "MODEL_KEY", null, Samples.HOME);
        assertThatThrownBy(() -> grok.render(inputs))
                .isInstanceOf(BerthException.class)
                .hasMessageContaining("model");
    }

    @Test
    void itHasNoArgumentsForWritableRootsAndNoInitialisers() {
        assertThat(grok.writableRoots("batch", true, List.of(Path.of("/a")))).isEmpty();
        assertThat(grok.initialisers(Samples.seed(true, true, true))).isEmpty();
    }

    @Test
    void aConversationIsADirectoryOfItsOwnNameInSomeProject(@TempDir Path home) throws IOException {
        Path project = Files.createDirectories(home.resolve(".grok/sessions/%2Fwork%2Fproject"));
        Files.createFile(project.resolve(CONVERSATION));
        assertThat(grok.hasConversation(home, CONVERSATION)).isFalse();
        Files.delete(project.resolve(CONVERSATION));
        Files.createDirectory(project.resolve(CONVERSATION));
        assertThat(grok.hasConversation(home, CONVERSATION)).isTrue();
    }

    @Test
    void itsHomeAndItsLoginAreDeclared() {
        assertThat(grok.definition().homeVariables()).isEqualTo(Map.of("GROK_HOME", ".grok"));
        assertThat(grok.definition().loginFile())
                .isEqualTo(new DriverDefinition.LoginFile(".grok/auth.json", List.of("~/.grok/auth.json")));
        assertThat(grok.definition().profiles()).containsOnlyKeys("batch", "window");
    }
}
