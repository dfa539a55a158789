package org.berth.guest.launch;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.berth.guest.Refused;
import org.berth.guest.Refused.Code;
import org.berth.guest.files.GuestFiles;
import org.berth.guest.json.Json;

/**
 * How the native is called: its arguments, and its environment, which is built afresh and never holds the provider's key.
 * Source: the reference's helper, launch; facts, agents.
 *
 * @param arguments the program first
 */
record NativeCommand(List<String> arguments, Map<String, String> environment) {
    /** The name under which relays are reached inside; requests to it take no proxy. */
    private static final String HOST = "host.openshell.internal";

    private static final String ACTIVITY = "control/activity.json";
    private static final Set<String> ACTIVITY_KEYS = Set.of(
            "OPENRIG_URL",
            "OPENRIG_ACTIVITY_HOOK_TOKEN",
            "OPENRIG_NODE_ID",
            "OPENRIG_SESSION_NAME",
            "OPENRIG_OCCUPANT_GENERATION");
    private static final List<String> SWITCHED_OFF = List.of(
            "DISABLE_AUTOUPDATER",
            "DISABLE_INSTALLATION_CHECKS",
            "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC",
            "CLAUDE_CODE_DISABLE_OFFICIAL_MARKETPLACE_AUTOINSTALL");

    /** @throws Refused ACTIVITY_PROJECTION_INVALID */
    static NativeCommand of(GuestFiles files, Descriptor descriptor, ResidentOptions options, Map<String, String> own) {
        return new NativeCommand(
                arguments(files, descriptor, options.program()), environment(files, descriptor, options, own));
    }

    private static List<String> arguments(GuestFiles files, Descriptor descriptor, String program) {
        List<String> arguments = new ArrayList<>();
        arguments.add(program);
        arguments.add(descriptor.resumes() ? "--resume" : "--session-id");
        arguments.add(descriptor.nativeId());
        arguments.add("--strict-mcp-config");
        arguments.add("--mcp-config");
        arguments.add(files.resolved("control/coordination.json"));
        for (String plugin : descriptor.texts("plugins")) {
            arguments.add("--plugin-dir");
            arguments.add(files.resolved(plugin));
        }
        add(arguments, "--model", descriptor.text("model"));
        add(arguments, "--effort", descriptor.text("effort"));
        add(arguments, "--permission-mode", descriptor.text("permissionMode"));
        return arguments;
    }

    private static void add(List<String> arguments, String option, String value) {
        if (value != null) {
            arguments.add(option);
            arguments.add(value);
        }
    }

    private static Map<String, String> environment(
            GuestFiles files, Descriptor descriptor, ResidentOptions options, Map<String, String> own) {
        Map<String, String> environment = new LinkedHashMap<>();
        environment.put("PATH", "/usr/local/bin:/usr/bin:/bin");
        environment.put("HOME", files.absolute("native"));
        environment.put("CLAUDE_CONFIG_DIR", files.absolute("native"));
        environment.put("TERM", "xterm-256color");
        environment.put("LANG", "C.UTF-8");
        Map<String, Object> activity = Json.readObject(files.read(ACTIVITY));
        if (!activity.keySet().equals(ACTIVITY_KEYS)
                || !descriptor.generation().equals(activity.get("OPENRIG_OCCUPANT_GENERATION"))) {
            throw new Refused(Code.ACTIVITY_PROJECTION_INVALID);
        }
        activity.forEach((name, value) -> environment.put(name, Json.text(value)));
        SWITCHED_OFF.forEach(name -> environment.put(name, "1"));
        environment.put("OPENRIG_RUNTIME", "openshell-claude");
        environment.put("OPENRIG_NODE", "/usr/bin/node");
        environment.put("OPENRIG_ENVIRONMENT_BINDING", descriptor.bindingId());
        if (own.containsKey("ANTHROPIC_BASE_URL")) {
            environment.put("ANTHROPIC_BASE_URL", own.get("ANTHROPIC_BASE_URL"));
        }
        if (options.proxy() != null) {
            String url = "http://127.0.0.1:" + options.proxy().port();
            environment.put("HTTPS_PROXY", url);
            environment.put("HTTP_PROXY", url);
            environment.put("NO_PROXY", HOST);
        }
        return environment;
    }
}
