package org.berth.cli.testing;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;

/** Answers HTTP requests and WebSocket handshakes on a port of its own, as a test scripts it. */
public final class ScriptedServer implements AutoCloseable {
    private static final int LEAVING_MILLIS = 5_000;
    private static final String KEY_SUFFIX = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";

    private final ServerSocket listener;
    private final Map<String, Function<Request, Answer>> routes = new ConcurrentHashMap<>();
    private final List<Request> requests = new CopyOnWriteArrayList<>();
    private final ConcurrentLinkedQueue<Script> scripts = new ConcurrentLinkedQueue<>();
    private final List<Throwable> faults = new CopyOnWriteArrayList<>();

    /** One request as it came; {@code target} is path and query. */
    public record Request(String method, String target, Map<String, String> headers, String body) {}

    /** One answer. */
    public record Answer(int status, Map<String, String> headers, byte[] body) {
        public static Answer json(int status, String body) {
            String type = status < 400 ? "application/json" : "application/problem+json";
            return new Answer(status, Map.of("Content-Type", type), body.getBytes(StandardCharsets.UTF_8));
        }
    }

    /** What the server does on one WebSocket. */
    public interface Script {
        void play(WebSocketPeer peer) throws IOException;
    }

    public ScriptedServer() {
        try {
            listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        Thread.ofVirtual().start(this::accept);
    }

    public int port() {
        return listener.getLocalPort();
    }

    public URI url() {
        return URI.create("http://127.0.0.1:" + port());
    }

    /** {@code route} is method, space, path without its query. */
    public ScriptedServer on(String route, Function<Request, Answer> answer) {
        routes.put(route, answer);
        return this;
    }

    public ScriptedServer on(String route, int status, String json) {
        return on(route, request -> Answer.json(status, json));
    }

    /** The next WebSocket that opens plays {@code script}. */
    public ScriptedServer stream(Script script) {
        scripts.add(script);
        return this;
    }

    /** What came so far, without WebSocket handshakes. */
    public List<Request> requests() {
        return List.copyOf(requests);
    }

    /** The bodies of what came to {@code route}. */
    public List<String> bodies(String route) {
        return requests.stream()
                .filter(each -> (each.method() + " " + path(each.target())).equals(route))
                .map(Request::body)
                .toList();
    }

    /** What went wrong in a script; a test asserts that it is empty. */
    public List<Throwable> faults() {
        return List.copyOf(faults);
    }

    @Override
    public void close() {
        try {
            listener.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void accept() {
        while (!listener.isClosed()) {
            try {
                Socket socket = listener.accept();
                Thread.ofVirtual().start(() -> serve(socket));
            } catch (IOException e) {
                return;
            }
        }
    }

    private void serve(Socket socket) {
        try (socket) {
            InputStream in = new BufferedInputStream(socket.getInputStream());
            Request request = read(in);
            if (request == null) {
                return;
            }
            if ("websocket".equalsIgnoreCase(request.headers().get("upgrade"))) {
                upgrade(socket, in, request);
            } else {
                requests.add(request);
                Function<Request, Answer> route = routes.get(request.method() + " " + path(request.target()));
                write(
                        socket.getOutputStream(),
                        route == null
                                ? Answer.json(404, "{\"code\":\"NOT_FOUND\",\"error\":\"There is no such thing.\"}")
                                : route.apply(request));
            }
        } catch (IOException | RuntimeException | AssertionError e) {
            faults.add(e);
        }
    }

    private void upgrade(Socket socket, InputStream in, Request request) throws IOException {
        Script script = scripts.poll();
        if (script == null) {
            write(socket.getOutputStream(), Answer.json(409, "{}"));
            return;
        }
        String accept;
        try {
            accept = Base64.getEncoder()
                    .encodeToString(MessageDigest.getInstance("SHA-1")
                            .digest((request.headers().get("sec-websocket-key") + KEY_SUFFIX)
                                    .getBytes(StandardCharsets.US_ASCII)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
        socket.getOutputStream()
                .write(("HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                                + "Sec-WebSocket-Accept: " + accept
                                + "\r\nSec-WebSocket-Protocol: berth.stream.1\r\n\r\n")
                        .getBytes(StandardCharsets.US_ASCII));
        WebSocketPeer peer = new WebSocketPeer(request.target(), in, socket.getOutputStream());
        script.play(peer);
        if (peer.hasEnded()) {
            leave(socket, in);
        }
    }

    /** A socket that is closed with unread bytes is reset, and a reset takes away what the client has not read yet. */
    private static void leave(Socket socket, InputStream in) throws IOException {
        socket.shutdownOutput();
        socket.setSoTimeout(LEAVING_MILLIS);
        try {
            in.transferTo(OutputStream.nullOutputStream());
        } catch (SocketException | SocketTimeoutException gone) {
            return;
        }
    }

    private static Request read(InputStream in) throws IOException {
        String first = line(in);
        if (first.isEmpty()) {
            return null;
        }
        Map<String, String> headers = new HashMap<>();
        for (String line = line(in); !line.isEmpty(); line = line(in)) {
            int colon = line.indexOf(':');
            headers.put(
                    line.substring(0, colon).toLowerCase(Locale.ROOT),
                    line.substring(colon + 1).strip());
        }
        int length = Integer.parseInt(headers.getOrDefault("content-length", "0"));
        String body = new String(in.readNBytes(length), StandardCharsets.UTF_8);
        String[] parts = first.split(" ");
        return new Request(parts[0], parts[1], headers, body);
    }

    private static String line(InputStream in) throws IOException {
        StringBuilder line = new StringBuilder();
        for (int each = in.read(); each >= 0 && each != '\n'; each = in.read()) {
            if (each != '\r') {
                line.append((char) each);
            }
        }
        return line.toString();
    }

    private static void write(OutputStream out, Answer answer) throws IOException {
        StringBuilder head = new StringBuilder("HTTP/1.1 " + answer.status() + " Scripted\r\nConnection: close\r\n"
                + "Content-Length: " + answer.body().length + "\r\n");
        answer.headers()
                .forEach((name, value) ->
                        head.append(name).append(": ").append(value).append("\r\n"));
        out.write(head.append("\r\n").toString().getBytes(StandardCharsets.US_ASCII));
        out.write(answer.body());
        out.flush();
    }

    private static String path(String target) {
        int query = target.indexOf('?');
        return query < 0 ? target : target.substring(0, query);
    }
}
