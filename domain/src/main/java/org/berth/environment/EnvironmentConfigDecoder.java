package org.berth.environment;

import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import org.berth.problem.BerthException;
import org.berth.problem.ProblemCode;

/**
 * Reads what a create or attach selects. Unknown members are ignored, and what is wrong is found in the reference's
 * order; the policy file and the node are the caller's to check next. Source: the reference's platform, config.
 */
public final class EnvironmentConfigDecoder {
    /** Longest gateway, workspace or provider, in UTF-16 units: what both databases keep in an index. */
    public static final int MAX_NAME = 255;

    /** Longest seat, in UTF-16 units. */
    public static final int MAX_SEAT = 320;

    /** Longest image or host path, in UTF-16 units. */
    public static final int MAX_PATH = 4096;

    private static final Pattern SPACE = Pattern.compile("[\\s\\x00]", Pattern.UNICODE_CHARACTER_CLASS);

    private EnvironmentConfigDecoder() {}

    /** @throws BerthException invalid_environment_request, invalid_environment_path */
    public static EnvironmentConfig decode(Map<String, Object> body) {
        boolean known = body.get("version") instanceof Number version
                && version.doubleValue() == EnvironmentTrees.VERSION
                && EnvironmentRules.BASE_RUNTIME.equals(body.get("baseRuntime"));
        if (!known) {
            throw invalid("version must be 1 and baseRuntime " + EnvironmentRules.BASE_RUNTIME);
        }
        String bindingId = EnvironmentRules.identifier(EnvironmentTrees.text(body, "bindingId"), "bindingId");
        String seat = bounded(EnvironmentRules.seat(EnvironmentTrees.text(body, "seat")), "seat", MAX_SEAT);
        if (!EnvironmentRules.GUEST_ROOT.equals(body.get("guestRoot"))) {
            throw new BerthException(
                    ProblemCode.INVALID_ENVIRONMENT_PATH, "guestRoot must be " + EnvironmentRules.GUEST_ROOT + ".");
        }
        String origin = origin(EnvironmentTrees.text(body, "guestBaseUrl"));
        EnvironmentPlacement placement = placement(body.get("placement"));
        return new EnvironmentConfig(
                bindingId,
                nodeId(body.get("nodeId")),
                seat,
                bounded(EnvironmentTrees.text(body, "coordinationRef"), "coordinationRef", MAX_PATH),
                directory(EnvironmentTrees.text(body, "artifactRoot")),
                EnvironmentRules.BASE_RUNTIME,
                EnvironmentRules.GUEST_ROOT,
                origin,
                placement);
    }

    /** A placement without its policy's digest. @throws BerthException invalid_environment_request */
    public static EnvironmentPlacement placement(Object value) {
        EnvironmentPlacement placement = EnvironmentTrees.placementOf(EnvironmentTrees.object(value));
        EnvironmentRules.name(placement.name());
        EnvironmentRules.image(bounded(placement.image(), "placement.image", MAX_PATH));
        plain(placement.gateway(), "placement.gateway");
        plain(placement.workspace(), "placement.workspace");
        plain(placement.provider(), "placement.provider");
        return placement.withPolicySha256(null);
    }

    private static String nodeId(Object value) {
        if (value == null || "".equals(value)) {
            return null;
        }
        return EnvironmentRules.identifier(value instanceof String text ? text : null, "nodeId");
    }

    /** A relative artifact root selects nothing, as in the reference. */
    private static String directory(String value) {
        if (value == null || !value.startsWith("/") || value.indexOf('\0') >= 0) {
            return null;
        }
        return Path.of(bounded(value, "artifactRoot", MAX_PATH)).normalize().toString();
    }

    private static String origin(String value) {
        try {
            URI url = new URI(value == null ? "" : value);
            String scheme = url.getScheme() == null ? "" : url.getScheme().toLowerCase(Locale.ROOT);
            boolean good = (scheme.equals("http") || scheme.equals("https"))
                    && url.getHost() != null
                    && url.getRawUserInfo() == null
                    && (url.getRawPath().isEmpty() || url.getRawPath().equals("/"))
                    && (url.getRawQuery() == null || url.getRawQuery().isEmpty())
                    && (url.getRawFragment() == null || url.getRawFragment().isEmpty())
                    && url.getPort() <= 65_535;
            if (!good) {
                throw invalid("guestBaseUrl must be an HTTP or HTTPS origin without credentials");
            }
            boolean usual = url.getPort() < 0 || url.getPort() == (scheme.equals("http") ? 80 : 443);
            String host = bounded(url.getHost(), "guestBaseUrl", MAX_NAME).toLowerCase(Locale.ROOT);
            return scheme + "://" + host + (usual ? "" : ":" + url.getPort());
        } catch (URISyntaxException e) {
            throw invalid("guestBaseUrl must be an HTTP or HTTPS origin without credentials");
        }
    }

    private static void plain(String value, String field) {
        if (value == null || value.isEmpty() || SPACE.matcher(value).find()) {
            throw invalid(field + " must be a name without spaces");
        }
        bounded(value, field, MAX_NAME);
    }

    private static String bounded(String value, String field, int limit) {
        if (value != null && value.length() > limit) {
            throw invalid(field + " must have at most " + limit + " characters");
        }
        return value;
    }

    private static BerthException invalid(String sentence) {
        return new BerthException(ProblemCode.INVALID_ENVIRONMENT_REQUEST, sentence + ".");
    }
}
