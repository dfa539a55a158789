package org.berth.harness.transport;

import java.nio.file.Path;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.berth.problem.BerthException;
import org.berth.problem.ProblemCode;

/**
 * The shared directories of a sandbox. The deepest mount that holds a path maps it, both ways. Source: harness.md, "Kernel
 * and transport".
 *
 * @param mounts may be empty: then nothing is shared
 */
public record PathMap(List<Mount> mounts) {
    /** @throws BerthException {@code invalid} when two mounts have one sandbox path */
    public PathMap {
        mounts = List.copyOf(mounts);
        Set<String> points = new HashSet<>();
        for (Mount mount : mounts) {
            if (!points.add(mount.sandbox())) {
                throw new BerthException(ProblemCode.INVALID, "two mounts at sandbox path " + mount.sandbox());
            }
        }
    }

    /**
     * Where a path of the sandbox leads, as this host's disk has it now.
     *
     * @param path absolute, or relative to {@code directory}
     * @param directory absolute path in the sandbox
     */
    public Located toHost(String path, String directory) {
        return SandboxWalk.locate(this, path, directory);
    }

    /**
     * How the sandbox names a host path.
     *
     * @param host absolute; need not exist
     * @return empty when no mount holds it, or another mount hides it there
     */
    public Optional<String> toSandbox(Path host) {
        Path plain = host.toAbsolutePath().normalize();
        return named(plain).or(() -> PhysicalPath.resolve(host).flatMap(this::named));
    }

    private record Candidate(Mount mount, Path root) {}

    private Optional<String> named(Path host) {
        return mounts.stream()
                .flatMap(mount -> Stream.concat(
                        Stream.of(new Candidate(mount, mount.host())),
                        PhysicalPath.resolve(mount.host()).stream().map(root -> new Candidate(mount, root))))
                .filter(candidate -> host.startsWith(candidate.root()))
                .sorted(Comparator.comparingInt(
                                (Candidate candidate) -> candidate.root().getNameCount())
                        .reversed())
                .map(candidate -> sandboxName(candidate, host))
                .flatMap(Optional::stream)
                .findFirst();
    }

    private Optional<String> sandboxName(Candidate candidate, Path host) {
        String name =
                SandboxPath.join(candidate.mount().point(), candidate.root().relativize(host));
        return holding(SandboxPath.names(name))
                .filter(candidate.mount()::equals)
                .map(_ -> name);
    }

    /** The deepest mount whose point is these names or above them. */
    Optional<Mount> holding(List<String> names) {
        return mounts.stream()
                .filter(mount -> startsWith(names, mount.point()))
                .max(Comparator.comparingInt(mount -> mount.point().size()));
    }

    /** The mount whose point is exactly these names. */
    Optional<Mount> at(List<String> names) {
        return mounts.stream().filter(mount -> mount.point().equals(names)).findFirst();
    }

    private static boolean startsWith(List<String> names, List<String> point) {
        return names.size() >= point.size() && names.subList(0, point.size()).equals(point);
    }
}
