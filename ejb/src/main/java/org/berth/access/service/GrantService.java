package org.berth.access.service;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.UUID;
import org.berth.access.Caller;
import org.berth.placement.ResourceAccess;
import org.berth.placement.ResourceGrant;
import org.berth.placement.ResourcePurpose;
import org.berth.placement.service.PhysicalPaths;
import org.berth.placement.service.ResourceAuthority;
import org.berth.problem.BerthException;
import org.berth.problem.ProblemCode;

/**
 * Rights to directories: only operators issue them, never over the state root; everybody sees his own. Source:
 * placement.md, Resources; api.md, first start.
 */
@ApplicationScoped
public class GrantService {
    @Inject
    private GrantLedger ledger;

    @Inject
    private ResourceAuthority authority;

    @Inject
    private Clock clock;

    /** What an operator asks for; {@code attemptId} and {@code lifetime} may be null. */
    public record Wish(
            String subject,
            String root,
            String subpath,
            ResourceAccess access,
            ResourcePurpose purpose,
            String attemptId,
            Duration lifetime) {}

    /** @throws BerthException FORBIDDEN, INVALID when there is no such directory, DENIED over the state root */
    public ResourceGrant issue(Caller caller, Wish wish) {
        if (!caller.isOperator()) {
            throw new BerthException(ProblemCode.FORBIDDEN, "only an operator issues grants");
        }
        Path root = Path.of(wish.root());
        if (!root.isAbsolute() || !Files.isDirectory(root)) {
            throw BerthException.invalid("root must be the absolute path of a directory on this host");
        }
        Path physical = PhysicalPaths.physical(root);
        if (!PhysicalPaths.physical(physical.resolve(wish.subpath())).startsWith(physical)) {
            throw BerthException.invalid("subpath leads out of the root");
        }
        if (authority.reachesStateRoot(physical.resolve(wish.subpath()))) {
            throw new BerthException(ProblemCode.DENIED, "no grant may reach Berth's own state");
        }
        Instant now = clock.instant().truncatedTo(ChronoUnit.MICROS);
        return ledger.insert(new ResourceGrant(
                "grant-" + UUID.randomUUID(),
                wish.subject(),
                physical.toString(),
                wish.subpath(),
                wish.access(),
                wish.purpose(),
                wish.attemptId(),
                caller.ownerId(),
                now,
                wish.lifetime() == null ? null : now.plus(wish.lifetime()),
                null));
    }

    /** An operator sees all, or those of {@code owner}. */
    public List<ResourceGrant> list(Caller caller, String owner, boolean includeEnded) {
        return ledger.list(caller.isOperator() ? owner : caller.ownerId(), includeEnded);
    }

    /** Live attempts that use it are stopped by the next sweep. @throws BerthException FORBIDDEN, NOT_FOUND */
    public ResourceGrant revoke(Caller caller, String grantRef) {
        if (!caller.isOperator()) {
            throw new BerthException(ProblemCode.FORBIDDEN, "only an operator revokes grants");
        }
        return ledger.revoke(grantRef, clock.instant().truncatedTo(ChronoUnit.MICROS))
                .orElseThrow(() -> BerthException.notFound("there is no such grant"));
    }
}
