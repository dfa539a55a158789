package org.berth.environment.podman;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.berth.engine.Engine;
import org.berth.engine.EngineHttp;
import org.berth.engine.ExecStream;
import org.berth.environment.driver.RealSupervisor;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EngineHttpTest {
    private static final String THING = "GET thing";
    private static final String PING = "GET _ping";

    @TempDir
    private Path directory;

    private FakeEngine fake;
    private EngineHttp http;

    @BeforeEach
    void serve() throws IOException {
        fake = new FakeEngine(directory.resolve("s"));
        http = new EngineHttp(fake.socket());
    }

    @AfterEach
    void end() throws IOException {
        fake.close();
    }

    private EngineHttp.Reply get(int millis) throws IOException {
        return http.send("GET", Engine.PREFIX + "thing", "application/json", null, millis);
    }

    @Test
    void a_body_of_a_given_length_in_chunks_or_up_to_the_end_is_read_whole() throws IOException {
        fake.json(THING, 201, "{\"a\":1}");
        assertThat(get(5000).status()).isEqualTo(201);
        assertThat(get(5000).body()).isEqualTo("{\"a\":1}".getBytes(StandardCharsets.UTF_8));
        fake.raw(
                THING,
                "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n3\r\nabc\r\n2;x=y\r\nde\r\n0\r\nT: x\r\n\r\n");
        assertThat(get(5000).body()).isEqualTo("abcde".getBytes(StandardCharsets.UTF_8));
        fake.raw(THING, "HTTP/1.1 200 OK\r\n\r\nto the end");
        assertThat(get(5000).body()).isEqualTo("to the end".getBytes(StandardCharsets.UTF_8));
        fake.raw(THING, "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 204 No Content\r\n\r\n");
        assertThat(get(5000)).extracting(EngineHttp.Reply::status).isEqualTo(204);
    }

    @Test
    void the_engines_version_is_what_its_ping_tells() throws IOException {
        Engine engine = new Engine(http);
        fake.raw(PING, "HTTP/1.1 200 OK\r\nLibpod-API-Version: 4.3.1\r\nContent-Length: 2\r\n\r\nOK");
        assertThat(engine.version()).isEqualTo("4.3.1");
        fake.raw(PING, "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nOK");
        assertThatThrownBy(engine::version).isInstanceOf(IOException.class);
        fake.raw(PING, "HTTP/1.1 500 No\r\nLibpod-API-Version: 4.3.1\r\nContent-Length: 0\r\n\r\n");
        assertThatThrownBy(engine::version).isInstanceOf(IOException.class);
    }

    @Test
    void an_answer_that_is_late_cut_over_its_bound_or_no_http_is_none() {
        fake.open(THING, "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nab".getBytes(StandardCharsets.US_ASCII));
        assertThatThrownBy(() -> get(100)).isInstanceOf(SocketTimeoutException.class);
        fake.raw(THING, "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nab");
        assertThatThrownBy(() -> get(5000)).isInstanceOf(EOFException.class);
        fake.raw(THING, "HTTP/1.1 200 OK\r\nContent-Length: 2097153\r\n\r\n");
        assertThatThrownBy(() -> get(5000)).hasMessageContaining("over its bound");
        fake.raw(THING, "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n200001\r\n");
        assertThatThrownBy(() -> get(5000)).hasMessageContaining("over its bound");
        fake.raw(THING, "SSH-2.0-x\r\n\r\n");
        assertThatThrownBy(() -> get(5000)).hasMessageContaining("HTTP/1.1");
        fake.raw(THING, "HTTP/1.1 200 OK\r\nA: " + "x".repeat(70_000) + "\r\n\r\n");
        assertThatThrownBy(() -> get(5000)).isInstanceOf(IOException.class);
    }

    @Test
    void a_command_takes_over_the_connection_and_its_reply_may_come_in_several_frames() throws Exception {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        bytes.writeBytes("HTTP/1.1 101 UPGRADED\r\nConnection: Upgrade\r\nUpgrade: tcp\r\n\r\n"
                .getBytes(StandardCharsets.US_ASCII));
        frame(bytes, 1, "{\"id\"");
        frame(bytes, 2, "a word aside");
        frame(bytes, 1, ":1}\n");
        fake.json("POST containers/c/exec", 201, "{\"Id\":\"e1\"}").open("POST exec/e1/start", bytes.toByteArray());
        try (ExecStream stream = new Engine(http).exec("c", List.of("guest", "--serve"))) {
            assertThat(stream.exchange("x".getBytes(StandardCharsets.UTF_8), 1000, 5000))
                    .isEqualTo("{\"id\":1}".getBytes(StandardCharsets.UTF_8));
            assertThat(stream.quiet()).isTrue();
            fake.close();
            RealSupervisor.await("the end of the connection is seen", () -> !stream.quiet());
        }
    }

    @Test
    void a_command_in_a_container_that_does_not_run_is_refused_with_the_engines_words() {
        fake.json(
                "POST containers/c/exec",
                500,
                "{\"cause\":\"container state improper\",\"message\":\"can only create exec sessions on running"
                        + " containers\",\"response\":500}");
        assertThatThrownBy(() -> new Engine(http).exec("c", List.of("guest")))
                .hasMessageContaining("can only create exec sessions");
    }

    @Test
    void errors_of_one_status_are_told_apart_by_their_cause() throws IOException {
        Engine engine = new Engine(http);
        fake.json(
                "POST volumes/create", 500, "{\"cause\":\"volume already exists\",\"message\":\"m\",\"response\":500}");
        assertThat(engine.post("volumes/create", Map.of()).nameUsed()).isTrue();
        fake.json("POST volumes/create", 500, "{\"cause\":\"names must match\",\"message\":\"m\",\"response\":500}");
        assertThat(engine.post("volumes/create", Map.of()).nameUsed()).isFalse();
        assertThat(engine.read("containers/none/json").status()).isEqualTo(404);
    }

    @Test
    void a_listing_that_is_no_whole_one_is_refused() {
        Engine engine = new Engine(http);
        String rows = "containers/json?filters=%7B%22label%22%3A%5B%5D%7D";
        fake.json("GET " + rows, 200, "[{\"Id\":\"a\"},");
        assertThatThrownBy(() -> engine.rows("containers", "", Map.of())).isInstanceOf(IOException.class);
        fake.json("GET " + rows, 500, "{\"cause\":\"locked\",\"message\":\"locked\",\"response\":500}");
        assertThatThrownBy(() -> engine.rows("containers", "", Map.of())).hasMessageContaining("locked");
    }

    private static void frame(ByteArrayOutputStream out, int stream, String text) {
        out.writeBytes(new byte[] {(byte) stream, 0, 0, 0, 0, 0, 0, (byte) text.length()});
        out.writeBytes(text.getBytes(StandardCharsets.UTF_8));
    }
}
