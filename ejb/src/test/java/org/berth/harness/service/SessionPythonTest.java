package org.berth.harness.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import org.berth.harness.setup.KernelPython;
import org.berth.harness.setup.PythonOrigin;
import org.berth.problem.BerthException;
import org.berth.problem.ProblemCode;
import org.junit.jupiter.api.Test;

class SessionPythonTest {
    @Test
    void a_missing_kernel_is_unavailable_and_names_the_install_command() {
        assertThatThrownBy(() -> SessionPython.path(new KernelPython.Missing(KernelPython.NOT_INSTALLED, "no uv")))
                .hasMessage("The Python kernel is not installed: run berth kernel install once")
                .isInstanceOfSatisfying(
                        BerthException.class, e -> assertThat(e.code()).isEqualTo(ProblemCode.UNAVAILABLE));
    }

    @Test
    void a_python_that_is_ready_is_told_by_its_path() {
        assertThat(SessionPython.path(new KernelPython.Ready(Path.of("/opt/python"), PythonOrigin.NAMED)))
                .isEqualTo("/opt/python");
    }
}
