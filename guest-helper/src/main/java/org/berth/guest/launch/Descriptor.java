package org.berth.guest.launch;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.berth.guest.Refused;
import org.berth.guest.Refused.Code;
import org.berth.guest.files.GuestFiles;
import org.berth.guest.json.Json;
import org.berth.guest.request.Digest;

/** What is to be launched, verified against the files of the guest. Source: the reference's helper, descriptor. */
public final class Descriptor {
    /** Where the host puts it. */
    public static final String PENDING = "control/launch.pending.json";

    /** Where it opens the latch. */
    public static final String PUBLISHED = "control/launch.json";

    /** The one native type that resumes: {@value}. */
    public static final String NATIVE_TYPE = "community:openshell-claude";

    private static final int MAX_CHECKPOINT_FILES = 129;
    private static final int ID_LENGTH = 36;
    private static final String HISTORIES = "native/projects/";

    private final Map<String, Object> value;

    private Descriptor(Map<String, Object> value) {
        this.value = value;
    }

    /**
     * Reads {@code path} and verifies every file that it lists.
     *
     * @throws Refused with the reference's code
     * @throws IllegalArgumentException for what is no such JSON
     */
    public static Descriptor verified(GuestFiles files, String path) {
        Descriptor descriptor = new Descriptor(Json.readObject(files.read(path)));
        descriptor.verify(files);
        return descriptor;
    }

    private void verify(GuestFiles files) {
        if (!Long.valueOf(1).equals(value.get("version")) || text("generation") == null || text("bindingId") == null) {
            throw new Refused(Code.DESCRIPTOR_INVALID);
        }
        for (Object file : Json.array(value.get("files"))) {
            verifiedBytes(files, Json.object(file), Code.PROJECTION_CHANGED);
        }
        if (resumes()) {
            verifyResume(files);
        }
        if (!isId(nativeId())) {
            throw new Refused(Code.NATIVE_IDENTITY_INVALID);
        }
    }

    private void verifyResume(GuestFiles files) {
        if (!NATIVE_TYPE.equals(value.get("nativeType")) || !nativeId().equals(value.get("resumeToken"))) {
            throw new Refused(Code.NATIVE_IDENTITY_INVALID);
        }
        Object checkpoint = value.get("checkpoint");
        Object listed = checkpoint instanceof Map<?, ?> map ? map.get("files") : null;
        if (!(listed instanceof List<?> list) || list.isEmpty() || list.size() > MAX_CHECKPOINT_FILES) {
            throw new Refused(Code.CHECKPOINT_INVALID);
        }
        List<Map<String, Object>> entries = new ArrayList<>();
        int histories = 0;
        for (Object each : list) {
            Map<String, Object> file = Json.object(each);
            entries.add(file);
            String path = Json.text(file.getOrDefault("path", ""));
            if (path.startsWith(HISTORIES)) {
                histories++;
                if (!path.endsWith("/" + nativeId() + ".jsonl")) {
                    throw new Refused(Code.CHECKPOINT_IDENTITY_MISMATCH);
                }
            }
        }
        Map<String, Object> object = Json.object(checkpoint);
        if (histories != 1
                || !nativeId().equals(object.get("nativeId"))
                || !NATIVE_TYPE.equals(object.get("nativeType"))) {
            throw new Refused(Code.CHECKPOINT_IDENTITY_MISMATCH);
        }
        for (Map<String, Object> file : entries) {
            byte[] bytes = verifiedBytes(files, file, Code.CHECKPOINT_CHANGED);
            if (Json.text(file.get("path")).startsWith(HISTORIES)) {
                verifyHistory(bytes);
            }
        }
    }

    /** Every row that names a session names this one, and at least one is a message of it. */
    private void verifyHistory(byte[] history) {
        boolean message = false;
        for (String line : new String(history, StandardCharsets.UTF_8).split("\n")) {
            Map<String, Object> row = Json.readObject(line.getBytes(StandardCharsets.UTF_8));
            Object session = row.getOrDefault("sessionId", nativeId());
            if (!nativeId().equals(session)) {
                throw new Refused(Code.CHECKPOINT_IDENTITY_MISMATCH);
            }
            Object type = row.get("type");
            message |= row.containsKey("sessionId") && ("user".equals(type) || "assistant".equals(type));
        }
        if (!message) {
            throw new Refused(Code.CHECKPOINT_IDENTITY_MISMATCH);
        }
    }

    private static byte[] verifiedBytes(GuestFiles files, Map<String, Object> file, Code changed) {
        byte[] bytes = files.read(Json.text(file.get("path")));
        if (!Long.valueOf(bytes.length).equals(file.get("bytes"))
                || !Digest.of(bytes).equals(file.get("sha256"))) {
            throw new Refused(changed);
        }
        return bytes;
    }

    private static boolean isId(String text) {
        if (text.length() != ID_LENGTH) {
            return false;
        }
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c != '-' && (c < '0' || c > '9') && (c < 'a' || c > 'f')) {
                return false;
            }
        }
        return true;
    }

    /** The same bytes for the same value. */
    public byte[] canonical() {
        return Json.writeSorted(value);
    }

    public String bindingId() {
        return text("bindingId");
    }

    public String generation() {
        return text("generation");
    }

    /** The conversation's UUID. */
    public String nativeId() {
        return Json.text(value.get("nativeId"));
    }

    /** Whether the conversation goes on instead of beginning. */
    public boolean resumes() {
        return text("resumeToken") != null;
    }

    /** A text; null when it is absent or empty. */
    public String text(String key) {
        Object found = value.get(key);
        return found == null || found.equals("") ? null : Json.text(found);
    }

    /** A list of texts; empty when it is absent. */
    public List<String> texts(String key) {
        List<String> texts = new ArrayList<>();
        if (value.get(key) != null) {
            for (Object each : Json.array(value.get(key))) {
                texts.add(Json.text(each));
            }
        }
        return texts;
    }
}
