package org.berth.guest.launch;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.berth.guest.Refused;
import org.berth.guest.Refused.Code;
import org.berth.guest.files.GuestFiles;
import org.berth.guest.json.Json;

/**
 * The native's own settings: where its key comes from, which granted tools run unasked, and that it may start in its
 * working directory without a question. Source: the reference's helper; facts, agents.
 */
final class NativeSettings {
    private static final String KEY = "control/provider-api-ref";
    private static final String SETTINGS = "native/settings.json";
    private static final String STATE = "native/.claude.json";
    private static final Pattern TOOL = Pattern.compile("mcp__[A-Za-z0-9_-]{1,128}");
    private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9/._-]+");

    private NativeSettings() {}

    /** @throws Refused DESCRIPTOR_INVALID for what is no tool's name */
    static void write(GuestFiles files, Descriptor descriptor) {
        Map<String, Object> settings = new LinkedHashMap<>();
        if (files.exists(KEY)) {
            settings.put("apiKeyHelper", "cat " + quoted(files.absolute(KEY)));
        }
        List<Object> allowed = new ArrayList<>();
        for (String tool : descriptor.texts("allowedTools")) {
            if (!TOOL.matcher(tool).matches()) {
                throw new Refused(Code.DESCRIPTOR_INVALID);
            }
            allowed.add(tool);
        }
        if (!allowed.isEmpty()) {
            settings.put("permissions", Map.of("allow", allowed));
        }
        if (!settings.isEmpty()) {
            files.install(SETTINGS, Json.write(settings), GuestFiles.PRIVATE);
        }
        Map<String, Object> state = new LinkedHashMap<>();
        state.put("hasCompletedOnboarding", true);
        state.put("projects", Map.of(files.absolute("work"), Map.of("hasTrustDialogAccepted", true)));
        files.installNew(STATE, Json.write(state), GuestFiles.PRIVATE);
    }

    /** For the shell that runs the key's command. */
    private static String quoted(String path) {
        return PLAIN.matcher(path).matches() ? path : "'" + path.replace("'", "'\\''") + "'";
    }
}
