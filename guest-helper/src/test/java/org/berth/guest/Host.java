package org.berth.guest;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.Channels;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.berth.guest.json.Json;

/** The host's side of the control line: listens, and asks the helper that dials. */
final class Host implements AutoCloseable {
    private final ServerSocketChannel server;
    private final Path socket;
    private SocketChannel line;
    private BufferedReader in;
    private long number;

    private Host(ServerSocketChannel server, Path socket) {
        this.server = server;
        this.socket = socket;
    }

    static Host listen(Path socket) throws IOException {
        ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
        server.bind(UnixDomainSocketAddress.of(socket));
        return new Host(server, socket);
    }

    /** Waits for the helper's next connection. */
    void accept() throws IOException {
        line = server.accept();
        in = new BufferedReader(new InputStreamReader(Channels.newInputStream(line), StandardCharsets.UTF_8));
    }

    /** Cuts the connection and goes on listening. */
    void cut() throws IOException {
        line.close();
    }

    SocketChannel acceptRaw() throws IOException {
        return server.accept();
    }

    Map<String, Object> ask(String data, String... arguments) throws IOException {
        send(data, arguments);
        return reply();
    }

    void send(String data, String... arguments) throws IOException {
        Map<String, Object> request = new LinkedHashMap<>();
        request.put("id", ++number);
        request.put("args", List.of(arguments));
        if (data != null) {
            request.put("data", java.util.Base64.getEncoder().encodeToString(data.getBytes(StandardCharsets.UTF_8)));
        }
        OutputStream out = Channels.newOutputStream(line);
        out.write(Json.write(request));
        out.write('\n');
    }

    Map<String, Object> reply() throws IOException {
        Map<String, Object> answer = Json.readObject(in.readLine().getBytes(StandardCharsets.UTF_8));
        return Json.object(answer.get("reply"));
    }

    @Override
    public void close() throws IOException {
        if (line != null) {
            line.close();
        }
        server.close();
        Files.deleteIfExists(socket);
    }
}
