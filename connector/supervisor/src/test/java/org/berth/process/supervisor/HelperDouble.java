package org.berth.process.supervisor;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A program that speaks the helper's wire. It dials a directory's control socket, again after each end, until its stdin
 * ends. {@code echo} answers with its data, {@code never} not at all, {@code bytes} with that many, {@code noise} with
 * what is no reply, {@code --viewer} dials back and repeats what the viewer says in capitals.
 */
public final class HelperDouble {
    private static final Pattern REQUEST =
            Pattern.compile("\\{\"id\":(\\d+),\"args\":\\[\"([^\"]*)\"](?:,\"data\":\"([^\"]*)\")?}");

    private static Path directory;

    private HelperDouble() {}

    public static void main(String[] arguments) throws IOException {
        directory = Path.of(arguments[0]);
        Thread.ofPlatform().daemon().start(HelperDouble::dialForEver);
        while (System.in.read() >= 0) {
            // Until whoever started it ends it.
        }
        System.exit(0);
    }

    private static void dialForEver() {
        while (true) {
            try (SocketChannel channel = dial("control.sock")) {
                serve(channel);
            } catch (IOException e) {
                // Dialled again.
            }
            java.util.concurrent.locks.LockSupport.parkNanos(
                    Duration.ofMillis(20).toNanos());
        }
    }

    private static SocketChannel dial(String name) throws IOException {
        return SocketChannel.open(UnixDomainSocketAddress.of(directory.resolve(name)));
    }

    private static void serve(SocketChannel channel) throws IOException {
        BufferedReader in =
                new BufferedReader(new InputStreamReader(Channels.newInputStream(channel), StandardCharsets.UTF_8));
        OutputStream out = Channels.newOutputStream(channel);
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            Matcher request = REQUEST.matcher(line);
            if (!request.matches()) {
                throw new IOException("not a request: " + line);
            }
            String data = request.group(3) == null ? "" : request.group(3);
            String answer = switch (request.group(2)) {
                case "echo" -> "{\"ok\":true,\"data\":\"" + data + "\"}";
                case "bytes" -> "{\"ok\":true,\"data\":\"" + "x".repeat(Integer.parseInt(data)) + "\"}";
                case "--viewer" -> {
                    Thread.ofPlatform().daemon().start(HelperDouble::view);
                    yield "{\"ok\":true}";
                }
                case "noise" -> "noise";
                case "never" -> null;
                default -> "{\"ok\":false,\"code\":\"unknown\"}";
            };
            if (answer != null) {
                String reply = "{\"id\":" + request.group(1) + ",\"reply\":" + answer + "}\n";
                out.write(reply.getBytes(StandardCharsets.UTF_8));
            }
        }
    }

    private static void view() {
        try (SocketChannel channel = dial("viewer.sock")) {
            InputStream in = Channels.newInputStream(channel);
            OutputStream out = Channels.newOutputStream(channel);
            byte[] buffer = new byte[8192];
            for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
                for (int i = 0; i < count; i++) {
                    buffer[i] = (byte) Character.toUpperCase(buffer[i]);
                }
                out.write(buffer, 0, count);
            }
        } catch (IOException e) {
            // The viewer went away.
        }
    }
}
