package org.berth.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.berth.driver.Samples.CONVERSATION;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.berth.driver.shipped.AgyDriver;
import org.berth.problem.BerthException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Written by hand: the program was not at hand. Sources of the expected texts: for options, {@code agy --help} of 1.0 to
 * 1.2 as quoted by public adapters; for {@code .agents/mcp_config.json} and {@code serverUrl}, antigravity.google/docs/mcp
 * and issue 60 of google-antigravity/antigravity-cli; for the settings, its issue 548 and antigravity.google/docs.
 */
class AgyDriverTest {
    private final AgentDriver agy = new AgyDriver();

    @Test
    void promptsAreValuesOfOptions() {
        assertThat(agy.command(Samples.first("batch", "--model x")))
                .isEqualTo(AgentCommand.ofArguments(List.of("--print-timeout=24h", "--prompt=--model x")));
        assertThat(agy.command(Samples.next("batch", "hi")).argv())
                .containsExactly("--continue", "--print-timeout=24h", "--prompt=hi");
        assertThat(agy.command(Samples.run("window", null)).argv()).isEmpty();
        assertThat(agy.command(Samples.next("window", "-x")).argv())
                .containsExactly("--continue", "--prompt-interactive=-x");
    }

    @Test
    void aPlainPolicyPlansOnly() {
        assertThat(agy.render(Samples.plain("batch"))).isEqualTo(new Delivery(List.of("--mode=plan"), List.of()));
    }

    @Test
    void toolsAndInstructionsAreACustomizationRootOfTheirOwn() {
        assertThat(agy.render(Samples.full("batch", null)))
                .isEqualTo(new Delivery(
                        List.of(
                                "--mode=accept-edits",
                                "--model=model-1",
                                "--effort=high",
                                "--add-dir=" + Samples.HOME + "/customization"),
                        List.of(
                                new DeliveredFile(
                                        "customization/.agents/mcp_config.json",
                                        "{\"mcpServers\":{\"berth\":{\"headers\":{\"Authorization\":"
                                                + "\"Bearer ${BERTH_TOOLS_TOKEN}\"},"
                                                + "\"serverUrl\":\"http://127.0.0.1:7001/mcp\"}}}"),
                                new DeliveredFile("customization/.agents/rules/berth.md", "Be brief."))));
    }

    @Test
    void anEndpointIsRefused() {
        assertThatThrownBy(() -> agy.render(Samples.full("batch", "http://127.0.0.1:9")))
                .isInstanceOf(BerthException.class)
                .hasMessageContaining("endpoint");
    }

    @Test
    void writableRootsAreFurtherDirectoriesOfWhoMayEdit() {
        assertThat(agy.writableRoots("batch", true, List.of(Path.of("/a b")))).containsExactly("--add-dir=/a b");
        assertThat(agy.writableRoots("batch", false, List.of(Path.of("/a b")))).isEmpty();
    }

    @Test
    void itsSettingsTrustTheDirectoriesOfTheLaunch() {
        assertThat(agy.initialisers(Samples.seed(false, false, false)))
                .containsExactly(new SetupFile(
                        ".gemini/antigravity-cli/settings.json",
                        "{\"permissions\":{\"allow\":[\"mcp(*)\"]},\"trustedWorkspaces\":[\"/work/project\",\""
                                + Samples.HOME + "/customization\"]}",
                        false));
    }

    @Test
    void anyRecordedConversationGoesOn(@TempDir Path home) throws IOException {
        Path recorded = Files.createDirectories(home.resolve(".gemini/antigravity-cli/conversations"));
        assertThat(agy.hasConversation(home, CONVERSATION)).isFalse();
        Files.createFile(recorded.resolve("1.db"));
        assertThat(agy.hasConversation(home, CONVERSATION)).isTrue();
    }

    @Test
    void onlyHomeSaysWhereItsFilesAre() {
        assertThat(agy.definition().homeVariables()).isEmpty();
        assertThat(agy.definition().loginFile().path()).isEqualTo(".gemini/antigravity-cli/antigravity-oauth-token");
    }
}
