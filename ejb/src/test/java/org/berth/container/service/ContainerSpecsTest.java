package org.berth.container.service;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.StringLength;
import org.berth.container.ContainerMount;
import org.berth.container.ContainerPlan;
import org.berth.container.ContainerSettings;
import org.berth.container.ContainerSettings.Users;
import org.junit.jupiter.api.Test;

/** What every container is created with, by the interface and by the command line. */
class ContainerSpecsTest {
    private static ContainerPlan plan(ContainerSettings settings, Map<String, String> environment) {
        return new ContainerPlan(
                "berth-key",
                "sha256:" + "a".repeat(64),
                List.of("/bin/agent", "--one", "two words"),
                environment,
                ContainerMount.plan(
                        Path.of("/srv/home"), List.of(new ContainerMount("data", Path.of("/srv/data"), false))),
                Path.of("/srv/home"),
                false,
                true,
                Map.of("org.berth.attempt", "a"),
                settings);
    }

    private static ContainerSettings settings(long memory, int cpuMillis, int pids, String network, Users users) {
        return new ContainerSettings(
                "/s", "podman", Map.of(), "x", Map.of(), memory, cpuMillis, pids, 65536, network, users, false,
                "/bin/sh");
    }

    private static List<String> command(ContainerPlan plan, boolean podman) {
        return CommandSpec.create(plan, Path.of("/private/container.env"), "7:8", podman);
    }

    @Property
    void nothing_of_a_policy_weakens_a_container(
            @ForAll @IntRange(min = 4096) int memory,
            @ForAll @IntRange(min = 10, max = 64_000) int cpuMillis,
            @ForAll @IntRange(min = 1, max = 4096) int pids,
            @ForAll Users users,
            @ForAll boolean podman,
            @ForAll boolean host) {
        ContainerPlan plan = plan(settings(memory, cpuMillis, pids, host ? "host" : "none", users), Map.of());
        List<String> argv = command(plan, podman);
        assertThat(argv)
                .containsSequence("--cap-drop", "ALL")
                .containsSequence("--security-opt", "no-new-privileges")
                .containsSequence("--network", host ? "host" : "none")
                .containsSequence("--memory", memory + "b")
                .containsSequence("--pids-limit", Integer.toString(pids))
                .containsSequence("--pull", "never")
                .containsSequence("--restart", "no")
                .contains("--read-only")
                .doesNotContain("--privileged")
                .endsWith("--entrypoint", "/bin/agent", plan.image(), "--one", "two words");
        Map<String, Object> spec = PodmanSpec.of(plan, "7:8");
        assertThat(spec)
                .containsEntry("read_only_filesystem", true)
                .containsEntry("cap_drop", List.of("ALL"))
                .containsEntry("no_new_privileges", true)
                .containsEntry("netns", Map.of("nsmode", host ? "host" : "none"))
                .containsEntry("image_volume_mode", "ignore")
                .containsEntry("httpproxy", false)
                .containsEntry("entrypoint", List.of("/bin/agent"))
                .containsEntry("command", List.of("--one", "two words"))
                .doesNotContainKey("privileged");
        assertThat(spec.get("resource_limits"))
                .isEqualTo(Map.of(
                        "memory", Map.of("limit", (long) memory),
                        "cpu", Map.of("period", 100_000L, "quota", cpuMillis * 100L),
                        "pids", Map.of("limit", (long) pids)));
    }

    @Property
    void no_value_of_a_variable_is_an_argument(
            @ForAll @StringLength(min = 1, max = 20) String value, @ForAll boolean podman) {
        Map<String, String> environment = new LinkedHashMap<>();
        environment.put("TOKEN", "secret:" + value);
        environment.put("SEVERAL", "secret:\n" + value);
        List<String> argv = command(plan(ContainerSettings.NONE, environment), podman);
        assertThat(argv).noneMatch(argument -> argument.contains("secret:"));
        assertThat(argv).containsSequence("--env", "SEVERAL").containsSequence("--env-file", "/private/container.env");
    }

    @Test
    void directories_keep_their_path_and_only_writable_ones_are_written() {
        ContainerPlan plan = plan(ContainerSettings.NONE, Map.of());
        assertThat(command(plan, false))
                .containsSequence("--mount", "type=bind,source=/srv/home,destination=/srv/home")
                .containsSequence("--mount", "type=bind,source=/srv/data,destination=/srv/data,readonly");
        assertThat(PodmanSpec.of(plan, "7:8").get("mounts").toString())
                .contains("/srv/data", "ro, nosuid, nodev", "/srv/home", "rw, nosuid, nodev");
    }

    @Test
    void the_server_s_user_is_the_program_s_user() {
        assertThat(command(plan(settings(1, 1, 1, "none", Users.KEEP_ID), Map.of()), true))
                .containsSequence("--userns", "keep-id", "--user", "7:8");
        assertThat(command(plan(settings(1, 1, 1, "none", Users.SAME), Map.of()), false))
                .containsSequence("--user", "7:8")
                .doesNotContain("--userns", "--umask");
        assertThat(PodmanSpec.of(plan(settings(1, 1, 1, "agents", Users.ROOT), Map.of()), "7:8"))
                .containsEntry("user", "0:0")
                .containsEntry("Networks", Map.of("agents", Map.of()));
    }
}
