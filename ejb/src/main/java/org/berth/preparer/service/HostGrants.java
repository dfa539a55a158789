package org.berth.preparer.service;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import org.berth.host.service.Host;
import org.berth.placement.Attempt;
import org.berth.placement.ResourceAccess;
import org.berth.placement.service.PhysicalPaths;
import org.berth.placement.service.ResourceAuthority;
import org.berth.problem.BerthException;
import org.berth.problem.ProblemCode;

/** Grants as placement's authority resolves them. */
@ApplicationScoped
public class HostGrants implements LaunchGrants {
    @Inject
    private Host host;

    @Inject
    private ResourceAuthority authority;

    @Inject
    private Clock clock;

    @Override
    public List<Path> writeRoots(Attempt attempt) {
        return attempt.resources().stream()
                .filter(resource -> resource.access() == ResourceAccess.WRITE)
                .map(PhysicalPaths::directory)
                .flatMap(Optional::stream)
                .filter(directory -> !authority.reachesStateRoot(directory))
                .distinct()
                .toList();
    }

    @Override
    public boolean hold(Attempt attempt) {
        try {
            authority.recheck(attempt, clock.instant());
            return true;
        } catch (BerthException e) {
            if (e.code() == ProblemCode.DENIED) {
                return false;
            }
            throw e;
        }
    }

    @Override
    public boolean isOwnCopy(Path path) {
        return path.startsWith(host.stateRoot()) && !authority.reachesStateRoot(path);
    }
}
