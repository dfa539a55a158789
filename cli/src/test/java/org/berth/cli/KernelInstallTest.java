package org.berth.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.berth.cli.testing.Invocation;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The kernel's Python from the command line; a script stands for the assembled server's program. */
@Timeout(60)
class KernelInstallTest {
    @TempDir
    private Path directory;

    private Invocation berth() {
        return new Invocation(URI.create("http://127.0.0.1:9"))
                .with("BERTH_HOME", directory.resolve("home").toString())
                .with("BERTH_DIST", directory.toString())
                .with("PATH", System.getenv("PATH"));
    }

    private void program(String text) throws IOException {
        Path bin = Files.createDirectories(directory.resolve("target/server/bin"));
        Path program = Files.writeString(bin.resolve("berth-kernel"), "#!/bin/sh\n" + text);
        Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwx------"));
    }

    @Test
    void install_tells_each_step_and_then_what_is_there_without_a_server() throws IOException {
        program("""
                printf 'step\\tfetching Python 3.13\\nstep\\tmaking the check\\n'
                printf 'state\\tinstalled\\nusable\\ttrue\\npython\\t/venv/bin/python\\nversion\\t3.13.1\\nvenv\\t%s\\n' "$BERTH_HOME $1"
                """);
        Invocation berth = berth();

        assertThat(berth.run("kernel", "install")).as(berth.err()).isZero();
        assertThat(berth.err()).isEqualTo("berth: fetching Python 3.13\nberth: making the check\n");
        assertThat(berth.out()).contains("state", "installed", "3.13.1", directory.resolve("home") + " install");
    }

    @Test
    void with_json_there_is_one_object_and_no_step() throws IOException {
        program(
                "printf 'step\\tx\\nstate\\thost python\\nusable\\ttrue\\npython\\t/usr/bin/python3\\nsettingUp\\t12\\n'\n");
        Invocation berth = berth();

        assertThat(berth.run("kernel", "install", "--json")).isZero();
        assertThat(berth.out())
                .isEqualTo(
                        "{\"state\":\"host python\",\"usable\":true,\"python\":\"/usr/bin/python3\",\"settingUp\":12}\n");
        assertThat(berth.err()).isEmpty();
    }

    @Test
    void a_check_asks_for_a_check_and_is_1_when_no_kernel_can_start() throws IOException {
        program("[ \"$1\" = check ] || exit 2; printf 'state\\tnot installed\\nusable\\tfalse\\n'; exit 1\n");
        Invocation berth = berth();

        assertThat(berth.run("kernel", "install", "--check")).isEqualTo(1);
        assertThat(berth.out()).contains("not installed");
        assertThat(berth.err()).contains("No kernel can start", "Put uv on PATH", "berth kernel install");
    }

    @Test
    void an_install_that_fails_says_why_and_what_to_do() throws IOException {
        program(
                "printf 'state\\tnot installed\\nusable\\tfalse\\nuv\\t/bin/uv\\nreason\\tno route to the index\\n'; exit 1\n");
        Invocation berth = berth();
        Invocation json = berth();

        assertThat(berth.run("kernel", "install")).isEqualTo(1);
        assertThat(berth.err()).contains("not installed: no route to the index", "look at the network");
        assertThat(json.run("kernel", "install", "--json")).isEqualTo(1);
        assertThat(json.err())
                .startsWith("{\"code\":\"FAILED\",\"error\":\"The kernel's Python is not installed: no route");
    }

    @Test
    void without_uv_the_hosts_own_python_is_named() throws IOException {
        program(
                "printf 'state\\thost python\\nusable\\ttrue\\npython\\t/usr/bin/python3\\nreason\\tthere is no uv on PATH\\n'; exit 1\n");
        Invocation berth = berth();

        assertThat(berth.run("kernel", "install")).isEqualTo(1);
        assertThat(berth.err()).contains("there is no uv on PATH", "Put uv on PATH", "/usr/bin/python3 meanwhile");
    }

    @Test
    void a_program_that_says_nothing_understandable_is_shown() throws IOException {
        program("echo 'berth-kernel: no JDK' >&2; exit 1\n");
        Invocation berth = berth();

        assertThat(berth.run("kernel", "install")).isEqualTo(1);
        assertThat(berth.err()).contains("ended with 1", "no JDK");
    }

    @Test
    void without_an_assembled_server_it_says_what_is_missing() {
        Invocation berth = berth().with("BERTH_DIST", "/nonexistent");

        assertThat(berth.run("kernel", "install")).isEqualTo(1);
        assertThat(berth.err()).contains("not assembled", "bin/berth kernel install");
        assertThat(berth().run("kernel")).isEqualTo(2);
    }
}
