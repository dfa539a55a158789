package org.berth.cli.launch;

import jakarta.json.JsonObject;
import org.berth.cli.Failure;
import org.berth.cli.api.ApiClient;
import org.berth.cli.api.Json;

/**
 * What a launch says about the host policy that rules it.
 *
 * @param name the policy's name
 * @param profileId its profile
 * @param profileDigest 64 hex digits
 * @param bindingDigest 64 hex digits
 * @param configurationDigest null for the driver {@code command}
 */
public record Policy(
        String name, String profileId, String profileDigest, String bindingDigest, String configurationDigest) {
    /** The policy of a fresh host, whose driver {@code command} needs no digest. Source: placement.md, Launch request. */
    public static final String DEFAULT = "default";

    private static final String NO_DIGEST = "0".repeat(64);
    private static final String BATCH = "batch";

    /** The default one needs no look at the host; every other one takes the digests that the host publishes. */
    public static Policy of(String name, ApiClient api) {
        if (DEFAULT.equals(name)) {
            return new Policy(name, BATCH, NO_DIGEST, NO_DIGEST, null);
        }
        JsonObject host = api.get("/api/placement/host");
        JsonObject published = Json.object(Json.object(host, "policies"), name);
        if (published.isEmpty()) {
            published = Json.objects(host, "policies").stream()
                    .filter(each -> name.equals(Json.text(each, "policy_ref")))
                    .findFirst()
                    .orElseThrow(() -> Failure.failed(
                            "The host has no policy \"" + name + "\".", "`berth host show` lists its policies."));
        }
        String profile = Json.text(published, "profile_id");
        return new Policy(
                name,
                profile == null ? or(Json.text(published, "profile"), BATCH) : profile,
                or(Json.text(published, "profile_digest"), NO_DIGEST),
                or(Json.text(published, "binding_digest"), NO_DIGEST),
                Json.text(published, "configuration_digest"));
    }

    private static String or(String text, String otherwise) {
        return text == null ? otherwise : text;
    }
}
