package org.berth.environment.local;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

class BubblewrapArgumentsTest {
    private final List<String> arguments = BubblewrapArguments.of(LocalSamples.aView());
    private final String line = " " + String.join(" ", arguments) + " ";

    @Test
    void every_namespace_is_the_guests_own_and_its_user_has_no_capability() {
        assertThat(arguments)
                .contains("--unshare-user", "--unshare-pid", "--unshare-net", "--unshare-ipc", "--unshare-uts");
        assertThat(line).contains(" --uid 1000 --gid 1000 ").contains(" --cap-drop ALL ");
    }

    @Test
    void it_outlives_who_started_it_and_has_nothing_of_the_environment_on_the_command_line() {
        assertThat(arguments).doesNotContain("--die-with-parent", "--setenv", "--clearenv", "--dev-bind");
    }

    @Test
    void system_directories_are_read_only_and_links_stay_links() {
        assertThat(line)
                .contains(" --ro-bind /usr /usr ")
                .contains(" --ro-bind /lib64 /lib64 ")
                .contains(" --symlink usr/bin /bin ");
    }

    @Test
    void the_guests_etc_is_made_of_single_files_and_then_closed() {
        assertThat(line)
                .contains(
                        " --tmpfs /etc --ro-bind /state/etc/passwd /etc/passwd --ro-bind /etc/ssl/certs /etc/ssl/certs"
                                + " --remount-ro /etc ")
                .doesNotContain("shadow");
    }

    @Test
    void its_tree_is_the_only_host_directory_that_it_writes() {
        assertThat(arguments.stream().filter("--bind"::equals)).hasSize(1);
        assertThat(line).contains(" --bind /state/tree /sandbox/openrig ");
    }

    @Test
    void channel_image_program_and_data_are_read_only() {
        assertThat(line)
                .contains(" --ro-bind /state/channel /run/openrig ")
                .contains(" --ro-bind /dist/guest /opt/openrig ")
                .contains(" --tmpfs /usr/local/bin --ro-bind /state/programs/agent /usr/local/bin/claude --remount-ro"
                        + " /usr/local/bin ")
                .contains(" --ro-bind /srv/data /srv/data ")
                .contains(" --remount-ro / ");
    }

    @Test
    void a_policy_without_a_writable_tmp_closes_it() {
        GuestView open = LocalSamples.aView();
        GuestView closed = new GuestView(
                open.hostname(),
                open.tree(),
                open.channel(),
                open.image(),
                open.program(),
                open.etc(),
                open.system(),
                false,
                open.data());
        assertThat(line).doesNotContain("--remount-ro /tmp");
        assertThat(String.join(" ", BubblewrapArguments.of(closed))).contains("--tmpfs /tmp --remount-ro /tmp");
    }

    @Test
    void the_script_that_stands_in_quotes_every_path() {
        assertThat(UnshareScript.quoted("/a b'c")).isEqualTo("'/a b'\\''c'");
        assertThat(UnshareScript.of(LocalSamples.aView(), Path.of("/state/root")))
                .startsWith("#!/bin/sh\n")
                .contains("mount --bind '/state/tree' '/state/root/sandbox/openrig'")
                .contains("pivot_root . .host")
                .endsWith("enter \"$@\"\n");
    }
}
