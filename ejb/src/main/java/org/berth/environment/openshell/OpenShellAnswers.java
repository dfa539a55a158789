package org.berth.environment.openshell;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.berth.environment.EnvironmentListing;
import org.berth.environment.EnvironmentResource;
import org.berth.json.StrictJson;
import org.berth.problem.BerthException;
import org.berth.problem.ProblemCode;

/** Reads what OpenShell prints; an answer without a whole identity is refused, never filled in. */
final class OpenShellAnswers {
    private static final String FIELDS = "id, name, workspace and phase";

    private OpenShellAnswers() {}

    /** @throws BerthException openshell_response_invalid */
    static EnvironmentResource resource(byte[] printed) {
        return resource(
                object(printed, ProblemCode.OPENSHELL_RESPONSE_INVALID, "OpenShell's answer is no JSON object."));
    }

    /** A page with a token for the next, and a bare array of a whole page, are incomplete. */
    static EnvironmentListing listing(byte[] printed) {
        boolean array = first(printed) == '[';
        Map<String, Object> page = object(
                array ? wrapped(printed) : printed,
                ProblemCode.OPENSHELL_LISTING_INVALID,
                "OpenShell's listing is no JSON page.");
        if (!(page.get("sandboxes") instanceof List<?> rows)
                || rows.size() > OpenShellVersion.PAGE_ROWS
                || !(array || page.get("next_page_token") instanceof String)) {
            throw new BerthException(
                    ProblemCode.OPENSHELL_LISTING_INVALID,
                    "OpenShell's listing has no page of at most " + OpenShellVersion.PAGE_ROWS + " sandboxes.");
        }
        List<EnvironmentResource> resources = new ArrayList<>();
        for (Object row : rows) {
            resources.add(resource(row));
        }
        boolean complete = array ? rows.size() < OpenShellVersion.PAGE_ROWS : "".equals(page.get("next_page_token"));
        return new EnvironmentListing(complete, resources);
    }

    private static EnvironmentResource resource(Object row) {
        if (row instanceof Map<?, ?> members
                && members.get("id") instanceof String id
                && !id.isEmpty()
                && members.get("name") instanceof String name
                && members.get("workspace") instanceof String workspace
                && members.get("phase") instanceof String phase) {
            return new EnvironmentResource(
                    id,
                    name,
                    workspace,
                    phase,
                    members.get("host_key_fingerprint") instanceof String fingerprint ? fingerprint : null,
                    members.get("labels") instanceof Map<?, ?> labels
                                    && labels.get(OpenShellVersion.LABEL) instanceof String effectId
                            ? effectId
                            : null);
        }
        throw new BerthException(
                ProblemCode.OPENSHELL_RESPONSE_INVALID, "OpenShell's answer lacks one of " + FIELDS + ".");
    }

    static Map<String, Object> object(byte[] printed, ProblemCode code, String sentence) {
        try {
            return StrictJson.object(printed);
        } catch (BerthException e) {
            throw new BerthException(code, sentence, e);
        }
    }

    private static char first(byte[] printed) {
        for (byte each : printed) {
            if (!Character.isWhitespace(each)) {
                return (char) each;
            }
        }
        return '\0';
    }

    private static byte[] wrapped(byte[] array) {
        byte[] head = "{\"sandboxes\":".getBytes(java.nio.charset.StandardCharsets.UTF_8);
        byte[] whole = java.util.Arrays.copyOf(head, head.length + array.length + 1);
        System.arraycopy(array, 0, whole, head.length, array.length);
        whole[whole.length - 1] = '}';
        return whole;
    }
}
