package org.berth.environment.podman;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.berth.environment.EnvironmentPlacement;
import org.berth.environment.driver.PolicyFile;
import org.berth.environment.policy.EnvironmentPolicy;
import org.junit.jupiter.api.Test;

class WorkloadTest {
    private static final EnvironmentPlacement PLACEMENT = new EnvironmentPlacement(
            "podman:/run/s", "team", "worker", "localhost/i@sha256:" + "a".repeat(64), "p", "/policy", null);
    private static final EnvironmentPolicy POLICY = PolicyFile.parse("""
            version: 1
            filesystem_policy: { include_workdir: true, read_only: [/usr], read_write: [/sandbox/openrig, /var/data] }
            network_policies:
              mcp: { endpoints: [ { host: host.openshell.internal, ports: [7781, 3128] } ] }
              api: { endpoints: [ { host: api.example.com, port: 443, access: read-only } ] }
            """.getBytes(StandardCharsets.UTF_8));
    private static final PodmanNames NAMES = PodmanNames.of("env-1");

    private static Workload made() {
        return new Workload(
                NAMES, NAMES.labels("env-1", PLACEMENT), PLACEMENT, POLICY, Path.of("/opt/helper"), "localhost/side");
    }

    @Test
    void the_same_effect_names_the_same_parts_and_another_effect_others() {
        assertThat(PodmanNames.of("env-1")).isEqualTo(NAMES);
        assertThat(PodmanNames.of("env-2").volumes()).doesNotContainAnyElementsOf(NAMES.volumes());
        assertThat(NAMES.supervisor()).isEqualTo("openshell-supervisor-" + NAMES.id());
        assertThat(PodmanNames.workload(PLACEMENT)).isEqualTo("openshell-sandbox-team.worker");
    }

    @Test
    void both_containers_are_unprivileged_read_only_and_never_restarted() {
        for (Map<String, Object> order : List.of(made().workload(), made().supervisor())) {
            assertThat(order)
                    .containsEntry("cap_drop", List.of("ALL"))
                    .containsEntry("no_new_privileges", true)
                    .containsEntry("read_only_filesystem", true)
                    .containsEntry("restart_policy", "no")
                    .containsEntry("user", "1000:1000")
                    .containsEntry("entrypoint", List.of("/opt/openrig/bin/guest"));
            assertThat(order.get("mounts").toString()).contains("/opt/helper").contains("ro");
        }
    }

    @Test
    void the_workload_has_no_network_and_sees_the_channel_read_only_and_the_secret_as_a_file() {
        Map<String, Object> order = made().workload();
        assertThat(order).containsEntry("netns", Map.of("nsmode", "none")).containsEntry("image", PLACEMENT.image());
        assertThat(order.get("volumes").toString())
                .contains(NAMES.workspace(), NAMES.channel())
                .doesNotContain(NAMES.control());
        assertThat(order.get("volumes"))
                .asInstanceOf(InstanceOfAssertFactories.LIST)
                .contains(Map.of(
                        "Name", NAMES.channel(),
                        "Dest", "/run/openrig",
                        "Options", List.of("ro", "nosuid", "nodev")));
        assertThat(order.get("secrets").toString()).contains(NAMES.secret());
        assertThat(order).doesNotContainKey("secret_env");
        assertThat(order.get("command"))
                .isEqualTo(List.of(
                        "--root", "/sandbox/openrig",
                        "--relay", "3128=/run/openrig/relay-3128.sock",
                        "--relay", "7781=/run/openrig/relay-7781.sock",
                        "--proxy", "3129=/run/openrig/proxy.sock"));
        assertThat(order.get("hostadd")).isEqualTo(List.of("host.openshell.internal:127.0.0.1"));
    }

    @Test
    void the_supervisor_has_the_outer_ends_on_the_hosts_network_and_no_guest_files() {
        Map<String, Object> order = made().supervisor();
        assertThat(order).containsEntry("netns", Map.of("nsmode", "host")).containsEntry("image", "localhost/side");
        assertThat(order.get("volumes").toString())
                .contains(NAMES.control(), NAMES.channel())
                .doesNotContain(NAMES.workspace());
        assertThat(order).doesNotContainKey("secrets");
        assertThat(order.get("command"))
                .isEqualTo(List.of(
                        "--gateway",
                        "--relay-end",
                        "/run/openrig/relay-3128.sock=3128",
                        "--relay-end",
                        "/run/openrig/relay-7781.sock=7781",
                        "--proxy-end",
                        "/run/openrig/proxy.sock",
                        "--allow",
                        "api.example.com:443"));
    }

    @Test
    void what_of_the_policy_does_not_hold_is_said() {
        assertThat(PodmanCreation.unenforced(POLICY))
                .contains(
                        "Every file of the image can be read, not only those of filesystem_policy.read_only.",
                        "The image is read-only: /var/data cannot be written.",
                        "Processor time and memory are not bounded.")
                .anySatisfy(sentence -> assertThat(sentence).contains("read-only access is not enforced"));
    }
}
