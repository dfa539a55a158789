package org.berth.bench;

import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/**
 * One kept-alive HTTP/1.1 connection, one request at a time, in the fewest system calls: the client must not be the
 * limit of what is measured. Not safe for several threads.
 */
final class HttpConnection implements AutoCloseable {
    private static final int READ_MILLIS = 120_000;

    private final Target target;
    /** The server closes a connection that was quiet for a minute: one that was quiet this long is opened anew. */
    private static final long QUIET_NANOS = 20_000_000_000L;

    private Socket socket;
    private InputStream in;
    private long used;

    HttpConnection(Target target) throws IOException {
        this.target = target;
        open();
    }

    private void open() throws IOException {
        socket = new Socket();
        used = System.nanoTime();
        socket.setTcpNoDelay(true);
        socket.setSoTimeout(READ_MILLIS);
        socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), target.port()));
        in = new BufferedInputStream(socket.getInputStream(), 64 * 1024);
    }

    Answer get(String path) throws IOException {
        return request("GET", path, null, "");
    }

    /** {@code body}: JSON; null for none. */
    Answer post(String path, String body) throws IOException {
        return request("POST", path, body, "");
    }

    /** As {@link #post(String, String)}, under a seat. */
    Answer post(String path, String body, String seat) throws IOException {
        return request("POST", path, body, "\r\nX-OpenRig-Session: " + seat);
    }

    private Answer request(String method, String path, String body, String headers) throws IOException {
        if (System.nanoTime() - used > QUIET_NANOS) {
            socket.close();
            open();
        }
        used = System.nanoTime();
        byte[] content = body == null ? new byte[0] : body.getBytes(StandardCharsets.UTF_8);
        String head = method + " " + path + " HTTP/1.1\r\nHost: 127.0.0.1:" + target.port()
                + "\r\nAuthorization: Bearer " + target.token()
                + headers
                + (body == null ? "" : "\r\nContent-Type: application/json")
                + "\r\nContent-Length: " + content.length + "\r\n\r\n";
        byte[] first = head.getBytes(StandardCharsets.ISO_8859_1);
        byte[] whole = java.util.Arrays.copyOf(first, first.length + content.length);
        System.arraycopy(content, 0, whole, first.length, content.length);
        socket.getOutputStream().write(whole);
        return answer();
    }

    private Answer answer() throws IOException {
        int status = Integer.parseInt(line().split(" ", 3)[1]);
        int length = 0;
        boolean chunked = false;
        for (String header = line(); !header.isEmpty(); header = line()) {
            String lower = header.toLowerCase(java.util.Locale.ROOT);
            if (lower.startsWith("content-length:")) {
                length = Integer.parseInt(
                        header.substring(header.indexOf(':') + 1).strip());
            } else if (lower.startsWith("transfer-encoding:") && lower.contains("chunked")) {
                chunked = true;
            }
        }
        if (!chunked) {
            return new Answer(status, text(length));
        }
        StringBuilder whole = new StringBuilder();
        for (int size = size(); size > 0; size = size()) {
            whole.append(text(size));
            line();
        }
        line();
        return new Answer(status, whole.toString());
    }

    private int size() throws IOException {
        return Integer.parseInt(line().strip(), 16);
    }

    private String text(int length) throws IOException {
        byte[] bytes = in.readNBytes(length);
        if (bytes.length < length) {
            throw new EOFException("the answer ended early");
        }
        return new String(bytes, StandardCharsets.UTF_8);
    }

    private String line() throws IOException {
        return line(in);
    }

    /** One line of a head, without its end. */
    static String line(InputStream in) throws IOException {
        StringBuilder text = new StringBuilder();
        for (int next = in.read(); next != '\n'; next = in.read()) {
            if (next < 0) {
                throw new EOFException("the server closed the connection");
            }
            if (next != '\r') {
                text.append((char) next);
            }
        }
        return text.toString();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
