package org.berth.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.berth.driver.Samples.CONVERSATION;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.berth.driver.shipped.ClaudeDriver;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Each expected text was given to Claude Code 2.1.197 and taken by it. Source: docs/drivers.md. */
class ClaudeDriverTest {
    private static final String PERMISSIONS = "\"permissions\":{\"allow\":[%s],\"defaultMode\":\"%s\",\"deny\":[%s],"
            + "\"disableBypassPermissionsMode\":\"disable\"}";
    private static final String HOOK = "\"%s\":[{\"hooks\":[{\"allowedEnvVars\":[\"BERTH_HOOKS_TOKEN\"],"
            + "\"headers\":{\"Authorization\":\"Bearer $BERTH_HOOKS_TOKEN\"},\"timeout\":10,\"type\":\"http\","
            + "\"url\":\"http://127.0.0.1:7002/hooks\"}]}]";

    private final AgentDriver claude = new ClaudeDriver();

    @Test
    void aBatchTakesItsPromptBehindTheEndOfTheOptions() {
        assertThat(claude.command(Samples.run("batch", "--model x")))
                .isEqualTo(AgentCommand.ofArguments(List.of("-p", "--output-format=text", "--", "--model x")));
        assertThat(claude.command(Samples.first("batch", "hi")).argv())
                .containsExactly("-p", "--output-format=text", "--session-id=" + CONVERSATION, "--", "hi");
        assertThat(claude.command(Samples.next("batch", "hi")).argv())
                .containsExactly("-p", "--output-format=text", "--resume=" + CONVERSATION, "--", "hi");
    }

    @Test
    void aSessionTakesJsonLinesUntilStandardInputIsClosed() {
        assertThat(claude.command(Samples.first("session", "say \"hi\"\nü")))
                .isEqualTo(AgentCommand.session(
                        "{\"message\":{\"content\":[{\"text\":\"say \\\"hi\\\"\\nü\",\"type\":\"text\"}],"
                                + "\"role\":\"user\"},\"type\":\"user\"}\n",
                        List.of(
                                "-p",
                                "--verbose",
                                "--input-format=stream-json",
                                "--output-format=stream-json",
                                "--session-id=" + CONVERSATION)));
    }

    @Test
    void aWindowMayBeginWithoutAPrompt() {
        assertThat(claude.command(Samples.run("window", null))).isEqualTo(AgentCommand.ofArguments(List.of()));
        assertThat(claude.command(Samples.first("window", "hi")).argv())
                .containsExactly("--session-id=" + CONVERSATION, "--", "hi");
    }

    @Test
    void aPlainPolicyStillForbidsEditsAndForeignTools() {
        assertThat(claude.render(Samples.plain("batch")))
                .isEqualTo(new Delivery(
                        List.of(
                                "--settings={"
                                        + PERMISSIONS.formatted("", "default", "\"Edit\",\"Write\",\"NotebookEdit\"")
                                        + "}",
                                "--strict-mcp-config"),
                        List.of()));
    }

    @Test
    void everythingOfThePolicyIsAnArgument() {
        String hooks = String.join(
                ",",
                List.of(
                                "Notification",
                                "PermissionRequest",
                                "PostToolUse",
                                "PreToolUse",
                                "SessionEnd",
                                "Stop",
                                "UserPromptSubmit")
                        .stream()
                        .map(HOOK::formatted)
                        .toList());
        assertThat(claude.render(Samples.full("batch", "http://127.0.0.1:9")))
                .isEqualTo(new Delivery(
                        List.of(
                                "--settings={\"apiKeyHelper\":\"printenv MODEL_KEY\","
                                        + "\"env\":{\"ANTHROPIC_BASE_URL\":\"http://127.0.0.1:9\"},\"hooks\":{" + hooks
                                        + "}," + PERMISSIONS.formatted("\"mcp__berth\"", "acceptEdits", "") + "}",
                                "--mcp-config={\"mcpServers\":{\"berth\":{\"headers\":{\"Authorization\":"
                                        + "\"Bearer ${BERTH_TOOLS_TOKEN}\"},\"type\":\"http\","
                                        + "\"url\":\"http://127.0.0.1:7001/mcp\"}}}",
                                "--strict-mcp-config",
                                "--model=model-1",
                                "--effort=high",
                                "--append-system-prompt=Be brief."),
                        List.of()));
    }

    @Test
    void aKeyThatTheProgramReadsItselfNeedsNoHelper() {
        DriverInputs inputs = new DriverInputs(
                "window", null, null, null, true, "http://127.0.0.1:9", "ANTHROPIC_AUTH_TOKEN", null, Samples.HOME);
        assertThat(claude.render(inputs).arguments().getFirst()).doesNotContain("apiKeyHelper");
    }

    @Test
    void hooksWithoutAnAddressAreNone() {
        DriverInputs.Gateway tools = new DriverInputs.Gateway("http://127.0.0.1:7001/mcp", "T", null, null);
        DriverInputs inputs = new DriverInputs("batch", null, null, null, true, null, null, tools, Samples.HOME);
        assertThat(claude.render(inputs).arguments().getFirst()).doesNotContain("hooks");
    }

    @Test
    void writableRootsAreFurtherDirectoriesOfWhoMayEdit() {
        List<Path> roots = List.of(Path.of("/a b"), Path.of("/c"));
        assertThat(claude.writableRoots("batch", true, roots)).containsExactly("--add-dir=/a b", "--add-dir=/c");
        assertThat(claude.writableRoots("batch", false, roots)).isEmpty();
        assertThat(claude.writableRoots("batch", true, List.of())).isEmpty();
    }

    @Test
    void onboardingIsOverBesideALoginAndInAWindowWithAKey() {
        String done = "{\"hasCompletedOnboarding\":true";
        String trusted = done + ",\"projects\":{\"/work/project\":{\"hasTrustDialogAccepted\":true}}}";
        assertThat(claude.initialisers(Samples.seed(true, false, false)))
                .containsExactly(new SetupFile(".claude/.claude.json", done + "}", false));
        assertThat(claude.initialisers(Samples.seed(false, true, true)))
                .containsExactly(new SetupFile(".claude/.claude.json", trusted, false));
        assertThat(claude.initialisers(Samples.seed(false, true, false))).isEmpty();
        assertThat(claude.initialisers(Samples.seed(false, false, true))).isEmpty();
    }

    @Test
    void aConversationIsAFileOfItsOwnNameInSomeProject(@TempDir Path home) throws IOException {
        Path project = Files.createDirectories(home.resolve(".claude/projects/-work-project"));
        assertThat(claude.hasConversation(home, CONVERSATION)).isFalse();
        Files.createSymbolicLink(project.resolve(CONVERSATION + ".jsonl"), home.resolve("elsewhere"));
        assertThat(claude.hasConversation(home, CONVERSATION)).isFalse();
        Files.delete(project.resolve(CONVERSATION + ".jsonl"));
        Files.createFile(project.resolve(CONVERSATION + ".jsonl"));
        assertThat(claude.hasConversation(home, CONVERSATION)).isTrue();
        assertThat(claude.hasConversation(home, "00000000-0000-4000-8000-000000000000"))
                .isFalse();
    }

    @Test
    void itsHomeAndItsLoginAreDeclared() {
        assertThat(claude.definition().homeVariables()).isEqualTo(Map.of("CLAUDE_CONFIG_DIR", ".claude"));
        assertThat(claude.definition().loginFile())
                .isEqualTo(new DriverDefinition.LoginFile(
                        ".claude/.credentials.json", List.of("~/.claude/.credentials.json")));
        assertThat(claude.definition().profiles()).containsOnlyKeys("batch", "session", "window");
    }
}
