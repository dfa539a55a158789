package org.berth.harness.transport;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * What one kernel needs at its start, in the host's terms.
 *
 * @param workingDirectory the session's, absolute
 * @param runtimeDirectory holds the package berth_kernel
 * @param importDirectories searched before all others, in this order; may be empty
 * @param entries the kernel's own variables
 * @param pathEntries the kernel's own variables whose values are host paths
 * @param hostEnvironment the environment of this host's processes
 * @param ownerPid the process whose end ends a local kernel
 */
public record KernelStart(
        Path workingDirectory,
        Path runtimeDirectory,
        List<Path> importDirectories,
        Map<String, String> entries,
        Map<String, Path> pathEntries,
        Map<String, String> hostEnvironment,
        long ownerPid) {
    public KernelStart {
        importDirectories = List.copyOf(importDirectories);
        entries = Map.copyOf(entries);
        pathEntries = Map.copyOf(pathEntries);
        hostEnvironment = Map.copyOf(hostEnvironment);
    }
}
