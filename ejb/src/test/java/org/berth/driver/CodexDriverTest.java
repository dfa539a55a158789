package org.berth.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.berth.driver.Samples.CONVERSATION;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.berth.driver.shipped.CodexDriver;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Each expected text was given to Codex 0.171.0 and taken by it. Source: docs/drivers.md. */
class CodexDriverTest {
    private final AgentDriver codex = new CodexDriver();

    @Test
    void aBatchReadsItsPromptFromStandardInput() {
        assertThat(codex.command(Samples.first("batch", "--model x")))
                .isEqualTo(AgentCommand.reading(
                        "--model x", List.of("exec", "--skip-git-repo-check", "--color=never", "-")));
        assertThat(codex.command(Samples.next("batch", "hi")))
                .isEqualTo(AgentCommand.reading(
                        "hi",
                        List.of("exec", "--skip-git-repo-check", "--color=never", "resume", "--last", "--all", "-")));
    }

    @Test
    void aWindowTakesItsPromptAsText() {
        assertThat(codex.command(Samples.run("window", null)).argv()).isEmpty();
        assertThat(codex.command(Samples.run("window", "exec")).argv()).containsExactly("--", "exec");
        assertThat(codex.command(Samples.next("window", "-x")).argv())
                .containsExactly("resume", "--last", "--all", "--include-non-interactive", " -x");
        assertThat(codex.command(Samples.next("window", "x")).argv()).endsWith("x");
    }

    @Test
    void aPlainPolicyReadsOnlyAndAsksNobody() {
        assertThat(codex.render(Samples.plain("batch")))
                .isEqualTo(new Delivery(List.of(), List.of(new DeliveredFile(".codex/config.toml", """
                                sandbox_mode = "read-only"
                                approval_policy = "never"
                                check_for_update_on_startup = false

                                [features]
                                daemon_auto_start = false
                                """))));
    }

    @Test
    void everythingOfThePolicyIsInOneFile() {
        assertThat(codex.render(Samples.full("window", "http://127.0.0.1:9/v1")))
                .isEqualTo(new Delivery(
                        List.of("--profile=berth"), List.of(new DeliveredFile(".codex/config.toml", """
                                model = "model-1"
                                model_reasoning_effort = "high"
                                developer_instructions = "Be brief."
                                sandbox_mode = "workspace-write"
                                approval_policy = "on-request"
                                check_for_update_on_startup = false
                                model_provider = "berth"

                                [features]
                                daemon_auto_start = false

                                [model_providers.berth]
                                name = "berth"
                                base_url = "http://127.0.0.1:9/v1"
                                env_key = "MODEL_KEY"
                                wire_api = "responses"

                                [mcp_servers.berth]
                                url = "http://127.0.0.1:7001/mcp"
                                bearer_token_env_var = "BERTH_TOOLS_TOKEN"
                                default_tools_approval_mode = "approve"

                                [shell_environment_policy]
                                exclude = ["MODEL_KEY", "BERTH_TOOLS_TOKEN", "BERTH_HOOKS_TOKEN"]
                                """))));
    }

    @Test
    void nobodyAnswersABatch() {
        assertThat(codex.render(Samples.full("batch", null)).files().getFirst().content())
                .contains("approval_policy = \"never\"\n")
                .doesNotContain("model_provider");
    }

    @Test
    void writableRootsAreOneSettingOfWhoMayEdit() {
        List<Path> roots = List.of(Path.of("/a \"b\""), Path.of("/c"));
        assertThat(codex.writableRoots("batch", true, roots))
                .containsExactly("-c", "sandbox_workspace_write.writable_roots=[\"/a \\\"b\\\"\", \"/c\"]");
        assertThat(codex.writableRoots("batch", false, roots)).isEmpty();
        assertThat(codex.writableRoots("batch", true, List.of())).isEmpty();
    }

    @Test
    void aWindowTrustsItsDirectory() {
        assertThat(codex.initialisers(Samples.seed(true, false, false))).isEmpty();
        assertThat(codex.initialisers(Samples.seed(false, false, true)))
                .containsExactly(new SetupFile(
                        ".codex/berth.config.toml",
                        "\n[projects.\"/work/project\"]\ntrust_level = \"trusted\"\n",
                        false));
    }

    @Test
    void anyRecordedConversationGoesOn(@TempDir Path home) throws IOException {
        Path day = Files.createDirectories(home.resolve(".codex/sessions/2026/11/30"));
        assertThat(codex.hasConversation(home, CONVERSATION)).isFalse();
        Files.createFile(day.resolve("rollout-2026-11-30T10-03-25-01a22be8.jsonl"));
        assertThat(codex.hasConversation(home, CONVERSATION)).isTrue();
    }

    @Test
    void noLinkLeadsToAConversation(@TempDir Path home, @TempDir Path other) throws IOException {
        Path day = Files.createDirectories(other.resolve("sessions/2026/11/30"));
        Files.createFile(day.resolve("rollout-1.jsonl"));
        Files.createSymbolicLink(home.resolve(".codex"), other);
        assertThat(codex.hasConversation(home, CONVERSATION)).isFalse();
    }

    @Test
    void itsHomeAndItsLoginAreDeclared() {
        assertThat(codex.definition().homeVariables()).isEqualTo(Map.of("CODEX_HOME", ".codex"));
        assertThat(codex.definition().loginFile())
                .isEqualTo(new DriverDefinition.LoginFile(".codex/auth.json", List.of("~/.codex/auth.json")));
        assertThat(codex.definition().profiles()).containsOnlyKeys("batch", "window");
    }
}
