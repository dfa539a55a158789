package org.berth.activity.service;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.time.Clock;
import java.util.concurrent.CompletionStage;
import org.berth.activity.ActivityEvent;
import org.berth.activity.GrantRules;
import org.berth.activity.HookPost;
import org.berth.activity.SecretToken;
import org.berth.json.StrictJson;
import org.berth.problem.BerthException;

/** The two steps of a hook post: who posts, before the body is read; what it says, after it. */
@ApplicationScoped
public class HookIngest {
    @Inject
    private ActivityGrantService grants;

    @Inject
    private HookToken installToken;

    @Inject
    private HookLedger ledger;

    @Inject
    private Clock clock;

    /** A proven poster. {@code tokenHash} is null for the install-wide token. */
    public record Poster(String tokenHash) {}

    /**
     * Whose token it is, now.
     *
     * @param token null when none was presented
     * @param installWide whether the listener takes the install-wide token
     * @throws BerthException ACTIVITY_GRANT_UNKNOWN, ACTIVITY_GRANT_REVOKED
     */
    public Poster authenticate(String token, boolean installWide) {
        if (token == null) {
            throw GrantRules.unknown();
        }
        if (installWide && installToken.proves(token)) {
            return new Poster(null);
        }
        grants.authenticate(token);
        return new Poster(SecretToken.hash(token));
    }

    /**
     * Reads the body, decides again and records.
     *
     * @return completes once the post is durable, on the writing thread; fails with the refusal
     * @throws BerthException INVALID for a malformed body
     */
    public CompletionStage<ActivityEvent> record(Poster poster, byte[] body) {
        HookPost post = HookPost.of(StrictJson.object(body));
        return ledger.record(new HookSubmission(post, poster.tokenHash(), clock.instant()));
    }
}
