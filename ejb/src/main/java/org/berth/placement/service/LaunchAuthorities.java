package org.berth.placement.service;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.time.Clock;
import java.util.Optional;
import org.berth.credential.service.CredentialBroker;
import org.berth.host.HostPolicy;
import org.berth.host.service.Host;
import org.berth.placement.Attempt;
import org.berth.placement.EvidenceKind;
import org.berth.placement.PrepareRequest;
import org.berth.problem.BerthException;

/**
 * Whether what a launch was admitted with still holds: its grants and its credentials. Asked at the start, and again by
 * each reconcile of a live attempt. Source: placement.md, Resources and Credential broker.
 */
@ApplicationScoped
public class LaunchAuthorities {
    @Inject
    private Host host;

    @Inject
    private ResourceAuthority resources;

    @Inject
    private CredentialBroker credentials;

    @Inject
    private Clock clock;

    /**
     * An authority that no longer holds.
     *
     * @param refused the evidence at a start
     * @param revoked the evidence of a live attempt
     * @param problem the authority's own answer
     */
    record Lost(EvidenceKind refused, EvidenceKind revoked, BerthException problem) {}

    /**
     * As {@link #lost}, and whether the policy still selects what the launch was admitted with: one that changed since is
     * not followed half.
     */
    Optional<Lost> lostBeforeStart(Attempt attempt, PrepareRequest request) {
        if (InternalAdmission.POLICY.equals(attempt.policyRef())) {
            return lost(attempt);
        }
        HostPolicy policy = host.policy();
        HostPolicy.Policy selected = policy.policies().get(attempt.policyRef());
        if (selected == null) {
            return changed("policy_ref names no policy of this host any more");
        }
        String digest = policy.digests(attempt.policyRef()).configurationDigest();
        if (request.configurationDigest() != null
                && !request.configurationDigest().equals(digest)
                && !DriverAdmission.COMMAND.equals(selected.driver())) {
            return changed("the policy's configuration changed since this launch was admitted; prepare it again");
        }
        return lost(attempt);
    }

    private static Optional<Lost> changed(String sentence) {
        return Optional.of(new Lost(
                EvidenceKind.CONFIGURATION_REFUSED,
                EvidenceKind.CONFIGURATION_REFUSED,
                BerthException.conflict(sentence)));
    }

    /** The first authority that is gone; empty when all hold. @throws BerthException STORAGE */
    Optional<Lost> lost(Attempt attempt) {
        try {
            resources.recheck(attempt, clock.instant());
        } catch (BerthException gone) {
            return Optional.of(new Lost(EvidenceKind.GRANT_REFUSED, EvidenceKind.GRANT_REVOKED, gone));
        }
        if (InternalAdmission.POLICY.equals(attempt.policyRef())) {
            return Optional.empty();
        }
        PrepareRequest request = StoredRequest.of(attempt);
        try {
            credentials.recheck(host.policy(), request);
            return Optional.empty();
        } catch (BerthException gone) {
            return Optional.of(new Lost(EvidenceKind.CREDENTIAL_REFUSED, EvidenceKind.CREDENTIAL_REVOKED, gone));
        }
    }
}
