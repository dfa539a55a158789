package org.berth.placement.service;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import org.berth.placement.Attempt;
import org.berth.placement.Evidence;
import org.berth.placement.EvidenceKind;
import org.berth.placement.PrepareRequest;
import org.berth.problem.BerthException;
import org.berth.problem.ProblemCode;

/** The home and the working directory of a launch, found or made at its start. Source: placement.md, Start. */
@ApplicationScoped
public class LaunchDirectories {
    @Inject
    private AttemptHomes homes;

    @Inject
    private ResourceAuthority authority;

    @Inject
    private Clock clock;

    /** Makes the attempt's directory, and the home that the launch selects. */
    Path home(Attempt attempt, PrepareRequest request, List<Evidence> done) throws StartRefusal {
        try {
            Path own = homes.createAttemptHome(attempt);
            done.add(Evidence.of(clock.instant(), EvidenceKind.HOME_CREATED, Map.of("key", attempt.attemptKey())));
            if (attempt.sessionKey() != null) {
                Path session = homes.createSessionHome(attempt);
                done.add(Evidence.of(
                        clock.instant(), EvidenceKind.SESSION_ATTACHED, Map.of("key", attempt.sessionKey())));
                return session;
            }
            if (request.launch().homeRef() != null) {
                return directory(attempt, request.launch().homeRef(), "launch.home_ref");
            }
            return own;
        } catch (IOException e) {
            EvidenceKind kind = done.isEmpty() ? EvidenceKind.HOME_FAILED : EvidenceKind.SESSION_FAILED;
            throw new StartRefusal(
                    Evidence.of(clock.instant(), kind, Map.of("reason", "the private directory could not be made")),
                    new BerthException(
                            ProblemCode.STORAGE, "the attempt's private home could not be made on this host", e));
        }
    }

    /** Whether the launch uses the operator's own home, into which Berth writes nothing. */
    static boolean usesHostHome(Attempt attempt, PrepareRequest request) {
        return attempt.sessionKey() == null && usesHostHome(request);
    }

    /** As {@link #usesHostHome(Attempt, PrepareRequest)}, of a request that is not admitted yet. */
    static boolean usesHostHome(PrepareRequest request) {
        return request.launch().homeRef() != null
                && request.resources().stream()
                        .filter(resource ->
                                resource.name().equals(request.launch().homeRef()))
                        .anyMatch(resource -> ResourceAuthority.MACHINE_HOME.equals(resource.rootRef()));
    }

    /** The directory that the launch names, physically; the home where it names none. */
    Path workingDirectory(Attempt attempt, PrepareRequest request, Path home) throws StartRefusal {
        String reference = request.launch().workingDirectoryRef();
        return reference == null ? home : directory(attempt, reference, "launch.working_directory_ref");
    }

    private Path directory(Attempt attempt, String resourceName, String field) throws StartRefusal {
        Path found = attempt.resources().stream()
                .filter(resource -> resource.name().equals(resourceName))
                .findFirst()
                .flatMap(PhysicalPaths::directory)
                .orElse(null);
        if (found == null || authority.reachesStateRoot(found)) {
            BerthException problem = new BerthException(
                    ProblemCode.DENIED,
                    field + " leads to no directory inside its grant; the directory must exist when the attempt"
                            + " starts");
            throw new StartRefusal(
                    Evidence.of(
                            clock.instant(),
                            EvidenceKind.WORKDIR_FAILED,
                            Map.of("resource", resourceName, "reason", problem.getMessage())),
                    problem);
        }
        return found;
    }
}
