package org.berth.host.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.berth.container.ContainerSettings;
import org.berth.container.ContainerSettings.Users;
import org.berth.host.HostPolicy;
import org.berth.problem.BerthException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ContainerSettingsLoaderTest {
    private static final String ID = "sha256:" + "a1".repeat(32);
    private static final String OTHER = "registry.example/agent@sha256:" + "b2".repeat(32);

    private static HostPolicy podman(String more) {
        return HostPolicyLoader.parse("placement: podman\ncontainer:\n  socket: /run/user/1000/podman/podman.sock\n"
                + "  image: " + ID + "\n" + more);
    }

    private static void refused(String yaml, String... words) {
        assertThatThrownBy(() -> HostPolicyLoader.parse(yaml))
                .isInstanceOf(BerthException.class)
                .hasMessageContainingAll(words);
    }

    @Test
    void a_socket_and_a_pinned_image_are_enough() {
        ContainerSettings settings = podman("").container();
        assertThat(settings.socket()).isEqualTo("/run/user/1000/podman/podman.sock");
        assertThat(settings.imageOf("default")).isEqualTo(ID);
        assertThat(settings.network()).isEqualTo("none");
        assertThat(settings.users()).isEqualTo(Users.KEEP_ID);
        assertThat(settings.cli()).isEqualTo("podman");
    }

    @Test
    void every_part_can_be_set() {
        ContainerSettings settings = podman("""
                  cli: /opt/podman
                  environment: { XDG_RUNTIME_DIR: /run/user/7 }
                  images: { default: "%s" }
                  memory: 4GiB
                  cpus: 1.5
                  pids: 64
                  tmp: 16MiB
                  network: host
                  users: root
                  init: true
                  shell: /usr/bin/dash
                """.formatted(OTHER)).container();
        assertThat(settings)
                .isEqualTo(new ContainerSettings(
                        "/run/user/1000/podman/podman.sock",
                        "/opt/podman",
                        Map.of("XDG_RUNTIME_DIR", "/run/user/7"),
                        ID,
                        Map.of("default", OTHER),
                        4L << 30,
                        1500,
                        64,
                        16 << 20,
                        "host",
                        Users.ROOT,
                        true,
                        "/usr/bin/dash"));
        assertThat(settings.imageOf("default")).isEqualTo(OTHER);
    }

    @Test
    void docker_is_asked_by_its_command_line() {
        String yaml = "placement: docker\ncontainer: { image: \"" + ID + "\" }\n";
        ContainerSettings settings = HostPolicyLoader.parse(yaml).container();
        assertThat(settings.socket()).isNull();
        assertThat(settings.cli()).isEqualTo("docker");
        assertThat(settings.users()).isEqualTo(Users.SAME);
        refused(yaml.replace("image", "socket: /x, image"), "container.socket", "placement podman");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "agent:latest",
                "agent",
                "agent@sha256:abc",
                "sha256:ABCDEF",
                "agent:v1@sha256:",
            })
    void an_image_that_is_not_pinned_is_refused(String image) {
        refused("placement: podman\ncontainer: { socket: /s, image: \"" + image + "\" }", "container.image", "pinned");
    }

    @ParameterizedTest
    @CsvSource({
        "memory: 1KiB, container.memory",
        "memory: lots, container.memory",
        "cpus: 0, container.cpus",
        "cpus: 1.2345, container.cpus",
        "cpus: many, container.cpus",
        "pids: 0, container.pids",
        "tmp: 1, container.tmp",
        "network: 'a b', container.network",
        "users: nobody, container.users",
        "init: maybe, container.init",
        "shell: sh, container.shell",
        "privileged: true, container.privileged",
    })
    void a_wrong_part_is_refused_with_its_place(String part, String place) {
        refused(
                "placement: podman\ncontainer:\n  socket: /s\n  image: " + ID + "\n  " + part,
                place,
                "line 5",
                "column");
    }

    @Test
    void a_placement_in_containers_needs_the_section_and_its_image() {
        refused("placement: podman", "placement", "container");
        refused("placement: podman\ncontainer: { socket: /s }", "container", "must have image");
        refused("placement: podman\ncontainer: { image: \"" + ID + "\" }", "container", "must have socket");
    }

    @Test
    void an_image_for_no_policy_is_refused() {
        refused(
                "placement: podman\ncontainer: { socket: /s, image: \"" + ID + "\", images: { other: \"" + ID
                        + "\" } }",
                "container.images.other",
                "policies");
    }

    @Test
    void what_a_container_is_made_of_binds_the_launch() {
        HostPolicy one = podman("");
        HostPolicy other = podman("  memory: 64MiB\n");
        assertThat(one.digests("default").bindingDigest())
                .isNotEqualTo(other.digests("default").bindingDigest());
        assertThat(one.publish()).containsKey("container");
        assertThat(HostPolicy.DEFAULT.publish()).doesNotContainKey("container");
    }
}
