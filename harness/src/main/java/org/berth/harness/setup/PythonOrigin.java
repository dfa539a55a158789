package org.berth.harness.setup;

/** Where a kernel's Python comes from. */
public enum PythonOrigin {
    /** {@code BERTH_KERNEL_PYTHON} names it. */
    NAMED("named python"),
    /** {@code berth kernel install} made its virtual environment. */
    VENV("installed"),
    /** The first python3 on PATH, when it is new enough: the runtime needs the standard library only. */
    HOST("host python");

    private final String state;

    PythonOrigin(String state) {
        this.state = state;
    }

    /** The state that {@code berth kernel install --check} shows. */
    public String state() {
        return state;
    }
}
