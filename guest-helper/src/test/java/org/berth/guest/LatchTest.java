package org.berth.guest;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
class LatchTest {
    /** Notes how it was started, then ends by what it reads. */
    private static final String NOTES = "printf '%s\\n' \"$0\" \"$@\" > arguments\n"
            + "env > environment; stty size > size; ls -l /proc/$$/fd > descriptors; tty > terminal\n"
            + "while read -r line; do [ \"$line\" = end ] && exit 5; done";

    @TempDir
    Path directory;

    private HelperProcess start(Path root, String... more) throws IOException {
        List<String> arguments = new java.util.ArrayList<>(
                List.of("--program", directory.resolve("claude").toString()));
        arguments.addAll(List.of(more));
        return HelperProcess.start(root, arguments.toArray(String[]::new));
    }

    private static Map<String, Object> record(Path root) throws Exception {
        Await.until("the native is recorded", () -> HelperProcess.json(root.resolve("control/native.json")) != null);
        return HelperProcess.json(root.resolve("control/native.json"));
    }

    @Test
    void theNativeStartsWithItsOwnEnvironmentArgumentsAndTerminal() throws Exception {
        Path root = HelperProcess.tree(
                directory,
                NOTES,
                ",\"model\":\"m\",\"permissionMode\":\"plan\",\"plugins\":[\"work/.claude/plugins/p\"],"
                        + "\"allowedTools\":[\"mcp__openrig__rig_environment_export\"]");
        try (HelperProcess helper = start(root, "--stay-seconds", "0", "--proxy", "1=/nonexistent")) {
            HelperProcess.prepare(root);
            Map<String, Object> record = record(root);
            Await.until(
                    "it notes",
                    () -> Files.exists(root.resolve("work/terminal")) && Files.size(root.resolve("work/terminal")) > 0);
            assertThat(Files.readAllLines(root.resolve("work/arguments")))
                    .containsExactly(
                            directory.resolve("claude").toString(),
                            "--session-id",
                            HelperProcess.ID,
                            "--strict-mcp-config",
                            "--mcp-config",
                            root + "/control/coordination.json",
                            "--plugin-dir",
                            root + "/work/.claude/plugins/p",
                            "--model",
                            "m",
                            "--permission-mode",
                            "plan");
            assertThat(Files.readAllLines(root.resolve("work/environment")))
                    .filteredOn(line -> !line.matches("(PWD|_|SHLVL|OLDPWD)=.*"))
                    .containsExactlyInAnyOrder(
                            "PATH=/usr/local/bin:/usr/bin:/bin",
                            "HOME=" + root + "/native",
                            "CLAUDE_CONFIG_DIR=" + root + "/native",
                            "TERM=xterm-256color",
                            "LANG=C.UTF-8",
                            "OPENRIG_URL=u",
                            "OPENRIG_ACTIVITY_HOOK_TOKEN=t",
                            "OPENRIG_NODE_ID=n",
                            "OPENRIG_SESSION_NAME=s@r",
                            "OPENRIG_OCCUPANT_GENERATION=g",
                            "OPENRIG_RUNTIME=openshell-claude",
                            "OPENRIG_NODE=/usr/bin/node",
                            "OPENRIG_ENVIRONMENT_BINDING=b",
                            "DISABLE_AUTOUPDATER=1",
                            "DISABLE_INSTALLATION_CHECKS=1",
                            "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1",
                            "CLAUDE_CODE_DISABLE_OFFICIAL_MARKETPLACE_AUTOINSTALL=1",
                            "ANTHROPIC_BASE_URL=http://host.openshell.internal:1",
                            "HTTPS_PROXY=http://127.0.0.1:1",
                            "HTTP_PROXY=http://127.0.0.1:1",
                            "NO_PROXY=host.openshell.internal");
            assertThat(root.resolve("work/size")).hasContent("40 120\n");
            assertThat(Files.readString(root.resolve("work/terminal"))).startsWith("/dev/pts/");
            assertThat(Files.readString(root.resolve("work/descriptors")))
                    .contains("control/native.lock")
                    .doesNotContain("socket:");
            assertThat(HelperProcess.json(root.resolve("native/settings.json")))
                    .isEqualTo(Map.of(
                            "apiKeyHelper",
                            "cat " + root + "/control/provider-api-ref",
                            "permissions",
                            Map.of("allow", List.of("mcp__openrig__rig_environment_export"))));
            assertThat(HelperProcess.json(root.resolve("native/.claude.json")))
                    .isEqualTo(Map.of(
                            "hasCompletedOnboarding",
                            true,
                            "projects",
                            Map.of(root + "/work", Map.of("hasTrustDialogAccepted", true))));
            assertThat(record).containsEntry("generation", "g").containsEntry("nativeId", HelperProcess.ID);
            ProcessHandle.of((Long) record.get("pid")).orElseThrow().destroyForcibly();
            assertThat(helper.ended()).isTrue();
            assertThat(HelperProcess.json(root.resolve("control/native-exit.json")))
                    .isEqualTo(Map.of(
                            "nativeId",
                            HelperProcess.ID,
                            "generation",
                            "g",
                            "pid",
                            record.get("pid"),
                            "exitCode",
                            -9L));
            assertThat(helper.output()).isEmpty();
        }
    }

    @Test
    void anExitAtOnceIsRecordedWithItsStart() throws Exception {
        Path root = HelperProcess.tree(directory, "exit 3", "");
        HelperProcess.prepare(root);
        try (HelperProcess helper = start(root, "--stay-seconds", "0")) {
            assertThat(helper.ended()).isTrue();
            assertThat((String) record(root).get("started")).matches("[1-9][0-9]*");
            assertThat(HelperProcess.json(root.resolve("control/native-exit.json")))
                    .containsEntry("exitCode", 3L);
        }
    }

    @Test
    void aLaunchThatNeverComesExpires() throws Exception {
        Path root = HelperProcess.tree(directory, "exit 0", "");
        try (HelperProcess helper = start(root, "--latch-seconds", "0")) {
            assertThat(helper.ended()).isTrue();
            assertThat(helper.output()).contains("{\"ok\":false,\"code\":\"environment_preparation_expired\"}");
        }
    }

    @Test
    void filesAreVerifiedAgainAtTheLaunch() throws Exception {
        Path root = HelperProcess.tree(directory, "exit 0", "");
        Files.writeString(
                root.resolve("control/launch.pending.json"),
                Files.readString(root.resolve("control/launch.pending.json"))
                        .replace("\"files\":[]", "\"files\":[{\"path\":\"work/a\",\"bytes\":1,\"sha256\":\"0\"}]"));
        Files.createDirectories(root.resolve("work"));
        Files.writeString(root.resolve("work/a"), "b");
        HelperProcess.prepare(root);
        try (HelperProcess helper = start(root)) {
            assertThat(helper.ended()).isTrue();
            assertThat(helper.output()).contains("environment_projection_changed");
            assertThat(root.resolve("control/native.json")).doesNotExist();
        }
    }

    @Test
    void anActivityFileWithOtherKeysOrAnotherGenerationIsRefused() throws Exception {
        Path root = HelperProcess.tree(directory, "exit 0", "");
        Path activity = root.resolve("control/activity.json");
        Files.writeString(activity, Files.readString(activity).replace(":\"g\"", ":\"old\""));
        HelperProcess.prepare(root);
        try (HelperProcess helper = start(root)) {
            assertThat(helper.ended()).isTrue();
            assertThat(helper.output()).contains("environment_activity_projection_invalid");
        }
    }

    @Test
    void aSecondHelperStartsNoSecondNative() throws Exception {
        Path root = HelperProcess.tree(directory, "exit 0", "");
        HelperProcess.prepare(root);
        Path lock = root.resolve("control/native.lock");
        Process holder = new ProcessBuilder("flock", lock.toString(), "sleep", "60").start();
        try {
            Await.until("the lock is held", () -> isLocked(lock));
            try (HelperProcess helper = start(root)) {
                assertThat(helper.ended()).isTrue();
                assertThat(helper.output()).contains("environment_guest_unconfirmed");
                assertThat(root.resolve("control/native.json")).doesNotExist();
            }
        } finally {
            holder.descendants().forEach(ProcessHandle::destroyForcibly);
            holder.destroyForcibly();
        }
    }

    private static boolean isLocked(Path lock) throws Exception {
        return new ProcessBuilder("flock", "-n", lock.toString(), "true")
                        .start()
                        .waitFor()
                != 0;
    }
}
