package org.berth.harness.setup;

import java.nio.file.Path;

/** The Python that a local kernel starts on, or why there is none. */
public sealed interface KernelPython {
    /** What a caller reads when there is none. Source: harness.md, kernel environment. */
    String NOT_INSTALLED = "The Python kernel is not installed: run berth kernel install once";

    /**
     * Kernels start on it.
     *
     * @param python absolute
     */
    record Ready(Path python, PythonOrigin origin) implements KernelPython {}

    /**
     * No kernel starts; every other tool works.
     *
     * @param sentence for the caller
     * @param reason what was in the way, for an operator; one line
     */
    record Missing(String sentence, String reason) implements KernelPython {}
}
