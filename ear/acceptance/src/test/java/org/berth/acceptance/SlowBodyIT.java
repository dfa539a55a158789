package org.berth.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.berth.acceptance.LaunchRequests.aLaunch;
import static org.berth.acceptance.StreamClient.STDOUT;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** A body that does not come holds its thread for a bounded time; what is rightly quiet is left alone. */
class SlowBodyIT {
    private static final int PATIENCE_MILLIS = 700;

    private static BerthServer server;
    private static Api api;

    @BeforeAll
    static void start() {
        server = BerthServer.create("slow-body")
                .javaOptions("-Dberth.body.patience.millis=" + PATIENCE_MILLIS)
                .start();
        api = server.api();
    }

    @AfterAll
    static void end() {
        server.close();
    }

    @Test
    void aBodyThatStopsIsAnsweredAndItsConnectionClosed() throws IOException {
        try (Socket socket = post(Api.ATTEMPTS, 100)) {
            socket.getOutputStream().write('{');
            long start = System.nanoTime();
            String answer = read(socket.getInputStream());

            assertThat(answer).startsWith("HTTP/1.1 408 ").contains("\"REQUEST_TIMEOUT\"", "application/problem+json");
            assertThat((System.nanoTime() - start) / 1_000_000).isBetween(PATIENCE_MILLIS / 2L, 20_000L);
        }
    }

    @Test
    void aByteNowAndThenIsNotEnough() throws IOException {
        try (Socket socket = post(Api.ATTEMPTS, 100_000)) {
            OutputStream out = socket.getOutputStream();
            InputStream in = socket.getInputStream();
            out.write('{');
            Await.until("an answer to a body that drips", () -> {
                boolean answered = in.available() > 0;
                if (!answered) {
                    out.write(' ');
                }
                return answered;
            });
            assertThat(read(in)).startsWith("HTTP/1.1 408 ");
        }
    }

    @Test
    void aBodyInPiecesIsTaken() throws IOException {
        byte[] body = Json.write(aLaunch().tree()).getBytes(StandardCharsets.UTF_8);
        try (Socket socket = post(Api.ATTEMPTS, body.length)) {
            for (byte each : body) {
                socket.getOutputStream().write(each);
            }
            assertThat(new String(socket.getInputStream().readNBytes(12), StandardCharsets.ISO_8859_1))
                    .isEqualTo("HTTP/1.1 201");
        }
    }

    @Test
    void aQuietStreamAndALongPollOutlastThePatience() throws IOException {
        Path gate = server.directory("quiet").resolve("gate");
        String id = api.prepared(aLaunch().script("until [ -e '" + gate + "' ]; do sleep 0.05; done; echo late"));
        try (StreamClient stream = StreamClient.attach(api, id)) {
            api.start(id).expect(200);
            String polled = api.started(aLaunch().of("sleep", "300"));
            long generation = api.attach(polled).number("generation");
            Answer poll = api.get(Api.ATTEMPTS + "/" + polled + "/output?generation=" + generation + "&wait=3")
                    .expect(200);
            assertThat(poll.millis()).isGreaterThan(PATIENCE_MILLIS);
            Files.createFile(gate);
            stream.awaitText(STDOUT, "late\n");
        }
    }

    private static Socket post(String path, int length) throws IOException {
        Socket socket = new Socket("127.0.0.1", URI.create(api.base()).getPort());
        socket.setSoTimeout(30_000);
        String head = "POST " + path + " HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer " + api.token()
                + "\r\nContent-Type: application/json\r\nContent-Length: " + length + "\r\n\r\n";
        socket.getOutputStream().write(head.getBytes(StandardCharsets.ISO_8859_1));
        return socket;
    }

    /** To the end of the connection. */
    private static String read(InputStream in) throws IOException {
        return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
}
