package org.berth.environment.driver;

import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.berth.environment.EnvironmentRules;
import org.berth.environment.GuestFile;
import org.berth.environment.NativeObservation;
import org.berth.json.StrictJson;
import org.berth.placement.CanonicalJson;
import org.berth.problem.BerthException;
import org.berth.problem.ProblemCode;

/**
 * What the helper inside a guest answers. A reply comes from a place that the agent can write: nothing in it is believed
 * beyond its form. Source: the reference's helper and driver.
 */
public final class GuestReplies {
    private GuestReplies() {}

    /**
     * The reply of one request, which must have been done.
     *
     * @throws BerthException the guest's own code, else environment_guest_refused; environment_guest_unconfirmed when it is
     *     no reply at all
     */
    public static Map<String, Object> done(byte[] json) {
        Map<String, Object> reply;
        try {
            reply = StrictJson.object(json);
        } catch (BerthException e) {
            throw new BerthException(
                    ProblemCode.ENVIRONMENT_GUEST_UNCONFIRMED, "The environment's helper gave no readable reply.", e);
        }
        return done(reply);
    }

    /** As {@link #done(byte[])}, for a reply that is read already. */
    public static Map<String, Object> done(Map<String, Object> reply) {
        if (Boolean.TRUE.equals(reply.get("ok"))) {
            return reply;
        }
        ProblemCode code = reply.get("code") instanceof String wire
                ? ProblemCode.parse(wire)
                        .filter(known -> known.wire().startsWith("environment_"))
                        .orElse(ProblemCode.ENVIRONMENT_GUEST_REFUSED)
                : ProblemCode.ENVIRONMENT_GUEST_REFUSED;
        throw new BerthException(code, "The environment's helper refused: " + code.wire() + ".");
    }

    /** The bytes of a {@code --read}. @throws BerthException environment_file_invalid */
    public static byte[] content(Map<String, Object> reply) {
        try {
            byte[] bytes = Base64.getDecoder().decode((String) reply.get("base64"));
            if (bytes.length <= EnvironmentRules.FILE_BYTES
                    && CanonicalJson.sha256(bytes).equals(reply.get("sha256"))) {
                return bytes;
            }
        } catch (IllegalArgumentException | ClassCastException | NullPointerException e) {
            throw new BerthException(
                    ProblemCode.ENVIRONMENT_FILE_INVALID, "The environment's helper gave no readable file.", e);
        }
        throw new BerthException(
                ProblemCode.ENVIRONMENT_FILE_INVALID,
                "The returned file exceeds its bound or does not hash to its digest.");
    }

    /** The native of an {@code --identity}. @throws BerthException environment_native_unconfirmed */
    public static NativeObservation identity(Map<String, Object> reply) {
        if (reply.get("running") instanceof Boolean running
                && reply.get("nativeId") instanceof String nativeId
                && reply.get("generation") instanceof String generation) {
            long pid = reply.get("pid") instanceof Long number ? number : 0;
            Integer exitCode = reply.get("exitCode") instanceof Long code ? code.intValue() : null;
            return new NativeObservation(nativeId, generation, running, pid, running ? null : exitCode);
        }
        throw new BerthException(
                ProblemCode.ENVIRONMENT_NATIVE_UNCONFIRMED, "The exact native execution is not observed.");
    }

    /** The one file of a {@code --checkpoint-files}. @throws BerthException environment_checkpoint_invalid */
    public static List<GuestFile> checkpoint(Map<String, Object> reply) {
        List<GuestFile> files = new ArrayList<>();
        if (reply.get("files") instanceof List<?> listed && listed.size() == 1) {
            for (Object each : listed) {
                if (each instanceof Map<?, ?> file
                        && file.get("path") instanceof String path
                        && file.get("sha256") instanceof String sha256
                        && EnvironmentRules.isSha256(sha256)
                        && file.get("bytes") instanceof Long bytes) {
                    files.add(new GuestFile(EnvironmentRules.relativePath(path), sha256, bytes));
                }
            }
        }
        if (files.size() != 1) {
            throw new BerthException(
                    ProblemCode.ENVIRONMENT_CHECKPOINT_INVALID, "The guest did not return one exact history file.");
        }
        return files;
    }
}
