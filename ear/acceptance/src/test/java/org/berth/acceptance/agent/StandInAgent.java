package org.berth.acceptance.agent;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.ConnectException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Takes the place of Claude Code where its image cannot be had: takes the same options, reads what its CLAUDE.md lists,
 * reports activity by the reference's hook body, does the first work item of its seat over MCP and brings the result
 * home, keeps a history file, and then stays until its terminal ends. Needs the base module only, since it runs in the
 * guest helper's own runtime.
 */
public final class StandInAgent {
    private static final Path WORK = Path.of("/sandbox/openrig/work");
    private static final Pattern LISTED = Pattern.compile("Read (\\S+?)\\.\\n");
    private static final Pattern URL = Pattern.compile("\"url\"\\s*:\\s*\"([^\"]+)\"");
    private static final Pattern BEARER = Pattern.compile("Bearer ([^\"]+)\"");
    private static final Pattern ITEM =
            Pattern.compile("\\\\*\"qitemId\\\\*\"\\s*:\\s*\\\\*\"([A-Za-z0-9._-]+)\\\\*\"");

    private static final long PATIENCE_NANOS = TimeUnit.MINUTES.toNanos(1);
    private static final long AGAIN_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

    private final String nativeId;
    private final String mcpUrl;
    private final String mcpToken;
    private final boolean resumed;
    private String mcpSession;

    private StandInAgent(String nativeId, boolean resumed, String coordination) {
        this.nativeId = nativeId;
        this.resumed = resumed;
        this.mcpUrl = first(URL, coordination);
        this.mcpToken = first(BEARER, coordination);
    }

    public static void main(String[] args) throws Exception {
        List<String> options = List.of(args);
        boolean resumed = options.contains("--resume");
        String nativeId = options.get(options.indexOf(resumed ? "--resume" : "--session-id") + 1);
        String coordination = Files.readString(Path.of(options.get(options.indexOf("--mcp-config") + 1)));
        StandInAgent agent = new StandInAgent(nativeId, resumed, coordination);
        System.out.println("stand-in agent " + nativeId + (resumed ? " resumed" : ""));
        try {
            agent.turn();
        } catch (IOException | RuntimeException e) {
            System.out.println("turn failed: " + e);
        }
        BufferedReader terminal = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = terminal.readLine(); line != null; line = terminal.readLine()) {
            if (line.startsWith("reach ")) {
                System.out.println("reach: " + agent.reach(line.substring("reach ".length())));
            } else {
                agent.history("user", line);
                System.out.println("heard: " + line);
            }
        }
    }

    private void turn() throws Exception {
        history("user", resumed ? "go on" : "begin");
        hook("UserPromptSubmit");
        StringBuilder read = new StringBuilder();
        Matcher listed = LISTED.matcher(Files.readString(WORK.resolve("CLAUDE.md")));
        while (listed.find()) {
            read.append(Files.readString(Path.of(listed.group(1)))).append('\n');
        }
        rpc("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"initialize\",\"params\":{\"protocolVersion\":\"2025-06-18\","
                + "\"capabilities\":{},\"clientInfo\":{\"name\":\"stand-in\",\"version\":\"1\"}}}");
        rpc("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}");
        String listedWork = call(2, "rig_queue_list", "{}");
        Matcher item = ITEM.matcher(listedWork);
        if (item.find()) {
            deliver(item.group(1), read.length());
        } else {
            System.out.println("no work: " + listedWork);
        }
        hook("Stop");
    }

    private void deliver(String task, int read) throws Exception {
        String report = "{\"task\":\"" + task + "\",\"revision\":1,\"report\":\"read " + read + " characters\"}";
        Path artifact = WORK.resolve("artifacts/report.json");
        Files.createDirectories(artifact.getParent());
        Files.writeString(artifact, report);
        byte[] bytes = report.getBytes(StandardCharsets.UTF_8);
        String digest =
                HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
        String answer = call(
                3,
                "rig_environment_export",
                "{\"bindingId\":\"" + System.getenv("OPENRIG_ENVIRONMENT_BINDING") + "\",\"operationId\":\"export-"
                        + task
                        + "\",\"taskId\":\"" + task + "\",\"generation\":\""
                        + System.getenv("OPENRIG_OCCUPANT_GENERATION")
                        + "\",\"path\":\"report.json\",\"sha256\":\"" + digest + "\",\"bytes\":" + bytes.length
                        + ",\"schema\":{\"format\":\"json-object/v1\",\"fields\":{\"task\":\"string\",\"revision\":"
                        + "\"number\",\"report\":\"string\"},\"required\":[\"task\",\"revision\",\"report\"]},"
                        + "\"context\":{\"task\":\"" + task + "\",\"revision\":1}}");
        history("assistant", "exported " + task);
        System.out.println("exported: " + answer);
    }

    private void history(String type, String text) throws IOException {
        Path projects = Path.of(System.getenv("CLAUDE_CONFIG_DIR"), "projects", "-sandbox-openrig-work");
        Files.createDirectories(projects);
        Files.writeString(
                projects.resolve(nativeId + ".jsonl"),
                "{\"sessionId\":\"" + nativeId + "\",\"type\":\"" + type + "\",\"message\":{\"content\":\""
                        + text.replace("\\", "\\\\").replace("\"", "\\\"") + "\"}}\n",
                StandardOpenOption.CREATE,
                StandardOpenOption.APPEND);
    }

    private void hook(String event) throws IOException {
        send(
                System.getenv("OPENRIG_URL") + "/api/activity/hooks",
                System.getenv("OPENRIG_ACTIVITY_HOOK_TOKEN"),
                "{\"runtime\":\"" + System.getenv("OPENRIG_RUNTIME") + "\",\"hookEvent\":\"" + event + "\"}");
    }

    private String call(int id, String tool, String arguments) throws IOException {
        return rpc("{\"jsonrpc\":\"2.0\",\"id\":" + id + ",\"method\":\"tools/call\",\"params\":{\"name\":\"" + tool
                + "\",\"arguments\":" + arguments + "}}");
    }

    private String rpc(String body) throws IOException {
        return send(mcpUrl, mcpToken, body);
    }

    /** A listener that is not there at the moment is asked again, for a minute. */
    private String send(String url, String token, String body) throws IOException {
        long deadline = System.nanoTime() + PATIENCE_NANOS;
        while (true) {
            try {
                return sendOnce(url, token, body);
            } catch (ConnectException e) {
                if (System.nanoTime() - deadline > 0) {
                    throw e;
                }
                LockSupport.parkNanos(AGAIN_NANOS);
            }
        }
    }

    private String sendOnce(String url, String token, String body) throws IOException {
        HttpURLConnection connection =
                (HttpURLConnection) URI.create(url).toURL().openConnection();
        connection.setRequestMethod("POST");
        connection.setConnectTimeout(10_000);
        connection.setReadTimeout(30_000);
        connection.setRequestProperty("Authorization", "Bearer " + token);
        connection.setRequestProperty("Content-Type", "application/json");
        connection.setRequestProperty("Accept", "application/json, text/event-stream");
        if (mcpSession != null && url.equals(mcpUrl)) {
            connection.setRequestProperty("Mcp-Session-Id", mcpSession);
        }
        connection.setDoOutput(true);
        connection.getOutputStream().write(body.getBytes(StandardCharsets.UTF_8));
        int status = connection.getResponseCode();
        if (connection.getHeaderField("Mcp-Session-Id") != null) {
            mcpSession = connection.getHeaderField("Mcp-Session-Id");
        }
        try (InputStream answer = status < 400 ? connection.getInputStream() : connection.getErrorStream()) {
            String text = answer == null ? "" : new String(answer.readAllBytes(), StandardCharsets.UTF_8);
            if (status >= 400) {
                throw new IOException(url + " answered " + status + " " + text);
            }
            return text;
        }
    }

    /** What an attempt to reach {@code host:port} gives: connected, or the failure. */
    private String reach(String target) {
        String[] parts = target.trim().split(":");
        try (java.net.Socket socket = new java.net.Socket()) {
            socket.connect(new java.net.InetSocketAddress(parts[0], Integer.parseInt(parts[1])), 3_000);
            return "connected";
        } catch (IOException | RuntimeException e) {
            return "refused " + e.getClass().getSimpleName();
        }
    }

    private static String first(Pattern pattern, String text) {
        Matcher matcher = pattern.matcher(text);
        if (!matcher.find()) {
            throw new IllegalArgumentException("no " + pattern + " in the coordination file");
        }
        return matcher.group(1);
    }
}
