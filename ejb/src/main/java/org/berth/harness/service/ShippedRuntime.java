package org.berth.harness.service;

import java.nio.file.Path;

/** The kernel runtime that Berth ships, which a kernel's interpreter imports. */
final class ShippedRuntime {
    private ShippedRuntime() {}

    /** Holds the package berth_kernel: the property {@code berth.kernel.home}, else beside the server. */
    static Path directory() {
        String set = System.getProperty("berth.kernel.home");
        return set != null
                ? Path.of(set)
                : Path.of(System.getProperty("jboss.home.dir", "."), "berth", "kernel", "runtime");
    }
}
