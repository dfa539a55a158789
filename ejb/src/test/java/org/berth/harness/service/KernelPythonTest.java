package org.berth.harness.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.berth.environment.CommandOutcome;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KernelPythonTest {
    @TempDir
    private Path state;

    private static CommandOutcome said(int exitCode, String text) {
        return new CommandOutcome(exitCode, text.getBytes(), new byte[0], false, false);
    }

    @Test
    void kernel_missing_names_install() {
        for (CommandOutcome outcome :
                new CommandOutcome[] {said(127, ""), said(3, ""), said(0, ""), said(0, "python"), said(-1, "/a\n")}) {
            assertThatThrownBy(() -> KernelPython.answer(null, outcome))
                    .hasMessage("The Python kernel is not installed: run berth kernel install once");
        }
    }

    @Test
    void an_own_python_that_will_not_do_is_named_by_its_variable() {
        assertThatThrownBy(() -> KernelPython.answer("/opt/python", said(3, "")))
                .hasMessageStartingWith("BERTH_KERNEL_PYTHON names no Python of 3.11 or newer");
    }

    @Test
    void the_interpreter_is_what_it_says_of_itself() {
        assertThat(KernelPython.answer(null, said(0, "/usr/bin/python3.12\n"))).isEqualTo("/usr/bin/python3.12");
    }

    @Test
    void the_users_own_comes_first_then_the_installed_one_then_that_of_the_search_path() throws IOException {
        assertThat(KernelPython.candidate(null, state)).isEqualTo("python3");
        Path installed =
                Files.createDirectories(state.resolve("kernel/python/bin")).resolve("python3");
        Files.createFile(installed);
        Files.setPosixFilePermissions(installed, PosixFilePermissions.fromString("rwx------"));
        assertThat(KernelPython.candidate("", state)).isEqualTo(installed.toString());
        assertThat(KernelPython.candidate("/opt/python", state)).isEqualTo("/opt/python");
    }
}
