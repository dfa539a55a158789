package org.berth.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * A server whose policies select the real agents, whose model is a service on loopback and whose operator has a home with
 * logins and settings of his own. The policies are {@code claude}, {@code codex}, {@code opencode} and the same with
 * {@code -window}.
 */
final class AgentHost implements AutoCloseable {
    static final String ANSWER = "pong-from-loopback";

    /** In a prompt: the model asks for the tool {@code rig_whoami} before it answers. */
    static final String CALL = "ask-who-you-are";

    static final String MODEL = "claude-sonnet-4-5";

    /** How the three forms mark a tool's answer. */
    private static final List<String> ANSWERED =
            List.of("\"type\":\"tool_result\"", "\"type\":\"function_call_output\"", "\"role\":\"tool\"");

    private static final Map<String, String> OF_CLAUDE = Map.of(
            "TERM", "xterm-256color",
            "DISABLE_AUTOUPDATER", "1",
            "DISABLE_INSTALLATION_CHECKS", "1",
            "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", "1",
            "CLAUDE_CODE_DISABLE_OFFICIAL_MARKETPLACE_AUTOINSTALL", "1");

    private static final Map<String, String> OF_OPENCODE = Map.of(
            "TERM", "xterm-256color",
            "NPM_CONFIG_OFFLINE", "true",
            "OPENCODE_DISABLE_AUTOUPDATE", "1",
            "OPENCODE_DISABLE_MODELS_FETCH", "1");

    private static final String TOOL = "rig_whoami";

    final BerthServer server;
    /** Take the places of the programs that cannot be had here. */
    final RecordingProgram agy;

    final RecordingProgram grok;
    final ModelEndpoint model = new ModelEndpoint(AgentHost::answer);

    /** The operator's home, which no run may touch. */
    final Path userHome;

    /** The secrets by the name of their credential; tools is one that is granted once {@link #grantTools} gave it. */
    final Map<String, String> secrets = new LinkedHashMap<>();

    private final Path secretFiles;
    private final Path rigs;

    AgentHost(String name) {
        server = BerthServer.create(name);
        userHome = server.directory("home");
        rigs = server.directory("rigs");
        secretFiles = server.directory("secrets");
        server.environment("HOME", userHome.toString()).javaOptions(homeOption());
        agy = new RecordingProgram(server, "agy");
        grok = new RecordingProgram(server, "grok");
        furnishHome();
        for (String each :
                new String[] {"anthropic", "openai", "tools", "hooks", "gemini", "agy_login", "grok_login"}) {
            secret(each, "canary-" + each + "-" + UUID.randomUUID());
        }
    }

    /** The server's JVM takes the operator's home from here. */
    String homeOption() {
        return "-Duser.home=" + userHome;
    }

    private void furnishHome() {
        Map<String, String> files = Map.of(
                ".bashrc", "true\n",
                ".claude/settings.json", "{\"model\":\"of-the-host\"}",
                ".claude.json", "{\"hasCompletedOnboarding\":true}",
                ".codex/config.toml", "model = \"of-the-host\"\n",
                ".codex/auth.json", "{\"OPENAI_API_KEY\":\"canary-host-login\"}",
                ".config/opencode/opencode.json", "{\"model\":\"anthropic/of-the-host\"}",
                ".local/share/opencode/auth.json", "{\"anthropic\":{\"type\":\"api\",\"key\":\"canary-host-login\"}}");
        files.forEach((path, text) -> {
            try {
                Files.createDirectories(userHome.resolve(path).getParent());
                server.write(userHome.resolve(path), text);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
        server.give(userHome);
    }

    /** Puts a secret where the host's policy finds it. */
    void secret(String name, String text) {
        secrets.put(name, text);
        server.write(secretFiles.resolve(name), text);
    }

    /** Starts the server under the policies. */
    AgentHost start() {
        write("first-model");
        server.start();
        return this;
    }

    /** Another model for the policy {@code changing}, in force at once. */
    void change(String changingModel) {
        write(changingModel);
        server.api().post("/api/placement/host/reload").expect(200);
    }

    private void write(String changingModel) {
        server.write(
                server.home().resolve("host.yaml"),
                """
                sweep: { every: 1s, bound: 64, reconcile_timeout: 5s }
                environments: { roots: [ "%2$s" ] }
                credentials:
                  anthropic: { kind: environment, destination: ANTHROPIC_API_KEY, source: { file: "%1$s/anthropic" } }
                  openai: { kind: environment, destination: OPENAI_API_KEY, source: { file: "%1$s/openai" } }
                  tools: { kind: environment, destination: TEAM_TOKEN, source: { file: "%1$s/tools" } }
                  hooks: { kind: environment, destination: HOOKS_TOKEN, source: { file: "%1$s/hooks" } }
                  helped: { kind: environment, destination: MODEL_KEY, source: { file: "%1$s/anthropic" } }
                  gemini: { kind: environment, destination: GEMINI_API_KEY, source: { file: "%1$s/gemini" } }
                  claude_login: { kind: file, driver: claude, source: { file: ~/.claude/.credentials.json }, optional: true }
                  codex_login: { kind: file, driver: codex, source: { file: ~/.codex/auth.json } }
                  agy_login: { kind: file, driver: agy, source: { file: "%1$s/agy_login" } }
                  grok_login: { kind: file, driver: grok, source: { file: "%1$s/grok_login" } }
                policies:
                  default: { driver: command }
                  claude-login: { driver: claude, executable: /bin/true, credentials: [ claude_login ] }
                  codex-login: { driver: codex, executable: /bin/true, credentials: [ codex_login ] }
                """.formatted(secretFiles, rigs)
                        + policies()
                        + policy(AgentProgram.CLAUDE, "changing", "batch", changingModel));
    }

    private String policies() {
        StringBuilder lines = new StringBuilder();
        for (AgentProgram program : AgentProgram.values()) {
            for (String profile : new String[] {"batch", "window"}) {
                String name = program.command() + (profile.equals("batch") ? "" : "-" + profile);
                lines.append(policy(program, name, profile, MODEL));
            }
        }
        lines.append(line("claude-session", session()));
        Map<String, Object> anthropic = new LinkedHashMap<>();
        anthropic.put("driver", "opencode");
        anthropic.put("executable", AgentProgram.OPENCODE.installed().toString());
        anthropic.put("credentials", List.of("anthropic"));
        anthropic.put("model", "anthropic/" + MODEL);
        Map<String, String> environment = new LinkedHashMap<>(OF_OPENCODE);
        environment.put("ANTHROPIC_BASE_URL", model.url() + "/v1");
        anthropic.put("environment", environment);
        return lines.append(line("opencode-anthropic", anthropic))
                .append(line("agy", recorded(agy, "gemini", "agy_login")))
                .append(line("grok", recorded(grok, "grok_login")))
                .toString();
    }

    /** A policy that selects everything. */
    private static Map<String, Object> recorded(RecordingProgram program, String... credentials) {
        Map<String, Object> policy = new LinkedHashMap<>();
        policy.put("driver", program.path().getFileName().toString());
        policy.put("executable", program.path().toString());
        List<String> all = new ArrayList<>(List.of(credentials));
        all.add("tools");
        policy.put("credentials", all);
        policy.put("gateway", Map.of("tools", "tools"));
        policy.put("model", "model-1");
        policy.put("effort", "high");
        policy.put("instructions", "Be brief.");
        policy.put("edits", true);
        policy.put("environment", Map.of("OF_THE_POLICY", "one"));
        return policy;
    }

    /** JSON is YAML too. */
    private static String line(String name, Map<String, Object> policy) {
        return "  " + name + ": " + Json.write(policy) + "\n";
    }

    private static Map<String, String> environment(AgentProgram program) {
        return switch (program) {
            case CLAUDE -> OF_CLAUDE;
            case CODEX -> Map.of("TERM", "xterm-256color");
            case OPENCODE -> OF_OPENCODE;
        };
    }

    /** A window of Claude would ask about a key in the variable that it knows. */
    private static String key(AgentProgram program, String profile) {
        if (program != AgentProgram.CLAUDE) {
            return "openai";
        }
        return profile.equals("window") ? "helped" : "anthropic";
    }

    /** The one that tells its seat's activity too. */
    private Map<String, Object> session() {
        Map<String, Object> policy = selected(AgentProgram.CLAUDE, "session", MODEL);
        policy.put("credentials", List.of(key(AgentProgram.CLAUDE, "session"), "tools", "hooks"));
        policy.put("gateway", Map.of("tools", "tools", "hooks", "hooks"));
        return policy;
    }

    private String policy(AgentProgram program, String name, String profile, String modelName) {
        return line(name, selected(program, profile, modelName));
    }

    private Map<String, Object> selected(AgentProgram program, String profile, String modelName) {
        Map<String, Object> policy = new LinkedHashMap<>();
        policy.put("driver", program.command());
        policy.put("profile", profile);
        policy.put("executable", program.installed().toString());
        policy.put("credentials", List.of(key(program, profile), "tools"));
        policy.put("gateway", Map.of("tools", "tools"));
        policy.put("model", modelName);
        policy.put("endpoint", program == AgentProgram.CLAUDE ? model.url() : model.url() + "/v1");
        policy.put("environment", environment(program));
        return policy;
    }

    /** A seat of a new rig whose token the policies' tools take; the name of its grant. */
    String grantTools() {
        String rig = "agents" + Long.toString(System.nanoTime(), 36);
        Api api = server.api();
        makeRig(rig, "");
        String grant = "worker-" + UUID.randomUUID();
        secret(
                "tools",
                api.post("/api/grants/work", Map.of("name", grant, "seat", "team-worker@" + rig))
                        .expect(201)
                        .text("token"));
        return grant;
    }

    /** A rig with one seat, which runs a command. @return its id */
    private String makeRig(String name, String query) {
        return server.api()
                .raw("POST", "/api/rigs" + query, "application/yaml", """
                        version: "0.2"
                        name: %s
                        pods:
                          - id: team
                            members:
                              - { id: worker, agent_ref: "local:agents/a", runtime: command, profile: default, cwd: . }
                        """.formatted(name)
                        .getBytes(StandardCharsets.UTF_8))
                .expect(201)
                .text("rigId");
    }

    /** A seat whose generation runs. */
    record Seated(String seat, String attemptId) {}

    /** Takes a seat of a new rig, whose activity the policies' hooks tell from then on. */
    Seated takeSeat() throws IOException {
        String rig = "seated" + Long.toString(System.nanoTime(), 36);
        Path root = rigs.resolve(rig);
        Path agent = Files.createDirectories(root.resolve("agents/a"));
        Files.writeString(agent.resolve("agent.yaml"), """
                name: a
                version: "1.0"
                profiles: { default: { command: { executable: sleep, argv: ["600"] } } }
                startup: { files: [], actions: [] }
                """);
        server.give(rigs);
        Api api = server.api();
        String rigId = makeRig(rig, "?root=" + root);
        Answer up = api.postAs("operator@" + rig, "/api/rigs/" + rigId + "/up", Map.of());
        Map<String, Object> node = Json.objects(up.expect(200).json(), "nodes").getFirst();
        assertThat(node).as("%s", node).containsEntry("status", "up");
        String seat = "team-worker@" + rig;
        secret(
                "hooks",
                api.post("/api/grants/activity", Map.of("seat", seat, "generation", node.get("generation")))
                        .expect(201)
                        .text("token"));
        return new Seated(seat, (String) node.get("attemptId"));
    }

    /** A launch request under an agent's policy, as a caller writes it who reads the published policy. */
    LaunchRequests launch(String policy, String... arguments) {
        Map<String, Object> published = published(policy);
        return LaunchRequests.aLaunch()
                .of((String) published.get("executable"), arguments)
                .with("policy_ref", policy)
                .with("profile_id", published.get("profile"))
                .with("binding_digest", published.get("binding_digest"))
                .with("profile_digest", published.get("profile_digest"))
                .with("configuration_digest", published.get("configuration_digest"))
                .with("projections", published.get("credentials"));
    }

    @SuppressWarnings("unchecked")
    private Map<String, Object> published(String policy) {
        return (Map<String, Object>)
                server.api().get("/api/placement/host").expect(200).at("policies", policy);
    }

    private static ModelEndpoint.Block answer(Map<String, Object> question) {
        String said = ModelEndpoint.Question.said(question);
        boolean asks = said.contains(CALL) && ANSWERED.stream().noneMatch(said::contains);
        return asks
                ? ModelEndpoint.tool(question, TOOL)
                        .<ModelEndpoint.Block>map(name -> new ModelEndpoint.Block.ToolUse("use_1", name, Map.of()))
                        .orElse(new ModelEndpoint.Block.Text("no tools here"))
                : new ModelEndpoint.Block.Text(ANSWER);
    }

    @Override
    public void close() {
        server.close();
        model.close();
    }
}
