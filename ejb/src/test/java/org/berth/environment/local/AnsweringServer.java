package org.berth.environment.local;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicInteger;

/** A server on the host's loopback that answers every request with one word. */
final class AnsweringServer implements AutoCloseable {
    private final ServerSocket server;
    private final AtomicInteger asked = new AtomicInteger();

    AnsweringServer(String word) throws IOException {
        server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        byte[] answer = ("HTTP/1.1 200 OK\r\nContent-Length: " + word.length() + "\r\nConnection: close\r\n\r\n" + word)
                .getBytes(StandardCharsets.US_ASCII);
        Thread.ofVirtual().start(() -> serve(answer));
    }

    private void serve(byte[] answer) {
        while (!server.isClosed()) {
            try (Socket socket = server.accept()) {
                asked.incrementAndGet();
                BufferedReader in =
                        new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII));
                String line = in.readLine();
                while (line != null && !line.isEmpty()) {
                    line = in.readLine();
                }
                socket.getOutputStream().write(answer);
            } catch (IOException e) {
                // A peer that goes away, or the end of this server.
                continue;
            }
        }
    }

    int port() {
        return server.getLocalPort();
    }

    int asked() {
        return asked.get();
    }

    @Override
    public void close() throws IOException {
        server.close();
    }
}
