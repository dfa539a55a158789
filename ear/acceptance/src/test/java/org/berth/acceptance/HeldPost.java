package org.berth.acceptance;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;

/** A hook post whose body is held back after the server has asked for it, which it does once the poster is proven. */
final class HeldPost implements AutoCloseable {
    private final Socket socket;
    private final BufferedReader answer;
    private final byte[] body;

    private HeldPost(Socket socket, byte[] body) throws IOException {
        this.socket = socket;
        this.body = body;
        this.answer = new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
    }

    static HeldPost open(String base, String token, String body) throws IOException {
        URI uri = URI.create(base);
        Socket socket = new Socket(uri.getHost(), uri.getPort());
        socket.setSoTimeout(30_000);
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        HeldPost post = new HeldPost(socket, bytes);
        post.send(("POST /api/activity/hooks HTTP/1.1\r\nHost: guest\r\nAuthorization: Bearer " + token
                        + "\r\nContent-Type: application/json\r\nExpect: 100-continue\r\nContent-Length: "
                        + bytes.length
                        + "\r\n\r\n")
                .getBytes(StandardCharsets.UTF_8));
        return post;
    }

    /** The status line's code: 100 when the server asks for the body. */
    int status() throws IOException {
        String line = answer.readLine();
        int status = Integer.parseInt(line.split(" ")[1]);
        if (status == 100) {
            answer.readLine();
        }
        return status;
    }

    void half() throws IOException {
        send(java.util.Arrays.copyOf(body, body.length / 2));
    }

    void rest() throws IOException {
        send(java.util.Arrays.copyOfRange(body, body.length / 2, body.length));
    }

    /** The whole answer after its status line, once the server closed or the body's braces closed. */
    String code() throws IOException {
        String line;
        int length = 0;
        while (!(line = answer.readLine()).isEmpty()) {
            if (line.regionMatches(true, 0, "Content-Length:", 0, 15)) {
                length = Integer.parseInt(line.substring(15).strip());
            }
        }
        char[] text = new char[length];
        int read = 0;
        while (read < length) {
            int count = answer.read(text, read, length - read);
            if (count < 0) {
                break;
            }
            read += count;
        }
        return (String) Json.object(new String(text, 0, read)).get("code");
    }

    private void send(byte[] bytes) throws IOException {
        OutputStream out = socket.getOutputStream();
        out.write(bytes);
        out.flush();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
