package org.berth.harness.service;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.berth.host.KernelTransportSetting;
import org.berth.host.KernelTransportSetting.SharedDirectory;
import org.berth.placement.service.PhysicalPaths;

/**
 * What a kernel transport shares with one session. An entry of its path map for the directory of all isolated workspaces stands
 * for the one copy that the session works in: another owner's copy is never reached through it. Source: harness.md, Sessions
 * (mounts lie inside grants and never over the state root) and Isolated workspaces.
 *
 * @param workspaces where isolated workspaces lie, {@code <state root>/workspaces}, physical
 */
record TransportMounts(Path workspaces) {
    /** Names from {@link #workspaces} to a copy: the parent session, the child and {@code copy}. */
    private static final int COPY_DEPTH = 3;

    static TransportMounts in(Path stateRoot) {
        return new TransportMounts(stateRoot.resolve("workspaces"));
    }

    /** Whether a session in a copy of its own can work on the transport at all. */
    boolean coverCopies(KernelTransportSetting setting) {
        return setting.pathMap().stream().anyMatch(this::isOfCopies);
    }

    private boolean isOfCopies(SharedDirectory shared) {
        return PhysicalPaths.physical(Path.of(shared.host())).equals(workspaces);
    }

    /**
     * The directories that a session in {@code cwd} shares.
     *
     * @return in the path map's order; without the entry of the workspaces where the session works in no copy
     */
    List<SharedDirectory> of(KernelTransportSetting setting, Path cwd) {
        Optional<Path> copy = copy(PhysicalPaths.physical(cwd));
        List<SharedDirectory> found = new ArrayList<>();
        for (SharedDirectory shared : setting.pathMap()) {
            if (!isOfCopies(shared)) {
                found.add(shared);
            } else if (copy.isPresent()) {
                Path own = copy.get();
                String point = shared.sandbox().equals("/") ? "" : shared.sandbox();
                found.add(new SharedDirectory(point + "/" + workspaces.relativize(own), own.toString()));
            }
        }
        return found;
    }

    private Optional<Path> copy(Path physical) {
        if (!physical.startsWith(workspaces) || physical.getNameCount() < workspaces.getNameCount() + COPY_DEPTH) {
            return Optional.empty();
        }
        return Optional.of(workspaces.resolve(
                physical.subpath(workspaces.getNameCount(), workspaces.getNameCount() + COPY_DEPTH)));
    }
}
