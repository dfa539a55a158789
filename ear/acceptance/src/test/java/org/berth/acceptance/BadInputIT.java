package org.berth.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.berth.acceptance.LaunchRequests.aLaunch;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.Socket;
import java.net.http.HttpRequest;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.berth.placement.LaunchRequestFaults;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** A wrong request is refused by name and leaves nothing behind. Source: api.md, Errors. */
class BadInputIT {
    private static final String JSON = "application/json";
    private static final int MAX_BODY = 1 << 20;

    private final BerthServer server = BerthServer.shared();
    private final Api api = server.api();

    @Test
    void everyFaultOfALaunchRequestIsRefusedByNameAndLeavesNothing() throws Exception {
        List<String> before = attempts();
        List<Path> directories = directories();
        long slowest = 0;
        for (LaunchRequestFaults.Fault fault : LaunchRequestFaults.all()) {
            Answer answer = api.post(Api.ATTEMPTS, fault.tree());
            slowest = Math.max(slowest, answer.millis());
            if (Json.write(fault.tree()).getBytes(StandardCharsets.UTF_8).length > MAX_BODY) {
                answer.expectProblem(413, "TOO_LARGE");
                continue;
            }
            assertThat(answer.status())
                    .as("%s: %s", fault.label(), answer.text())
                    .isEqualTo(400);
            answer.expectProblem(400, "INVALID");
            if (fault.rule().contains("exponent")) {
                assertThat(answer.text("error")).as(fault.label()).contains(fault.rule());
            } else if (!halfASurrogate(fault)) {
                assertThat(answer.text("error")).as(fault.label()).contains(fault.path(), fault.rule());
            }
        }
        System.out.println("slowest refusal of a launch request: " + slowest + " ms");
        assertThat(attempts()).isEqualTo(before);
        assertThat(directories()).isEqualTo(directories);
    }

    /** Such text is no JSON text of UTF-8, so that the reader refuses it before any field is looked at. */
    private static boolean halfASurrogate(LaunchRequestFaults.Fault fault) {
        return Json.write(fault.tree()).matches("(?s).*\\\\ud[89a-f].*");
    }

    private List<String> attempts() {
        return Json.objects(api.get(Api.ATTEMPTS + "?limit=1000").expect(200).json(), "attempts").stream()
                .map(attempt -> (String) attempt.get("attempt_id"))
                .toList();
    }

    private List<Path> directories() throws IOException {
        try (Stream<Path> tree = Files.walk(server.home().resolve("placement"), 2)) {
            return tree.sorted().toList();
        }
    }

    static Stream<Arguments> unreadable() {
        String whole = Json.write(aLaunch().tree());
        return Stream.of(
                Arguments.of("nothing", utf8("")),
                Arguments.of("no object", utf8("[]")),
                Arguments.of("a cut object", utf8(whole.substring(0, whole.length() - 1))),
                Arguments.of("text after the end", utf8(whole + "x")),
                Arguments.of("a second object", utf8(whole + whole)),
                Arguments.of("a key twice", utf8("{\"attempt_id\":\"other\"," + whole.substring(1))),
                Arguments.of(
                        "a variable twice",
                        utf8(whole.replaceFirst("\\{", "{\"environment\":{\"A\":\"1\",\"A\":\"2\"},"))),
                Arguments.of("depth 1000", utf8("{\"a\":" + "[".repeat(1000) + "]".repeat(1000) + "}")),
                Arguments.of(
                        "a huge exponent",
                        utf8(whole.replace("\"owner_incarnation\":1", "\"owner_incarnation\":1e999999"))),
                Arguments.of(
                        "not a number", utf8(whole.replace("\"owner_incarnation\":1", "\"owner_incarnation\":NaN"))),
                Arguments.of("a comment", utf8("/* */" + whole)),
                Arguments.of("bytes that are not UTF-8", new byte[] {'{', '"', (byte) 0xc3, 0x28, '"', ':', '1', '}'}),
                Arguments.of("UTF-16", whole.getBytes(StandardCharsets.UTF_16)),
                Arguments.of("a byte order mark", utf8("\ufeff" + whole)),
                Arguments.of("half a surrogate pair", utf8("{\"attempt_id\":\"\\ud800\"}")),
                Arguments.of("the other half", utf8("{\"attempt_id\":\"\\udc00x\"}")));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("unreadable")
    void aBodyThatIsNoStrictJsonObjectIsInvalid(String name, byte[] body) {
        api.raw("POST", Api.ATTEMPTS, JSON, body).expectProblem(400, "INVALID");
    }

    @Test
    void anotherContentTypeIsNotTaken() {
        byte[] body = utf8(Json.write(aLaunch().tree()));
        for (String type : List.of("text/plain", "application/xml", "application/json; charset=utf-16")) {
            api.raw("POST", Api.ATTEMPTS, type, body).expectProblem(415, "UNSUPPORTED_MEDIA_TYPE");
        }
    }

    @Test
    void aBodyOverOneMebibyteIsTooLargeHoweverItIsSent() {
        byte[] body = utf8("{\"a\":\"" + "x".repeat((1 << 20) - 7) + "\"}");
        assertThat(body).hasSize((1 << 20) + 1);
        api.raw("POST", Api.ATTEMPTS, JSON, body).expectProblem(413, "TOO_LARGE");
        Answer chunked = Api.send(api.request(Api.ATTEMPTS)
                .header("Content-Type", JSON)
                .POST(HttpRequest.BodyPublishers.ofInputStream(() -> new ByteArrayInputStream(body)))
                .build());
        chunked.expectProblem(413, "TOO_LARGE");
        byte[] fits = utf8("{\"a\":\"" + "x".repeat((1 << 20) - 8) + "\"}");
        api.raw("POST", Api.ATTEMPTS, JSON, fits).expectProblem(400, "INVALID");
    }

    @Test
    void headersWithoutBoundAreRefusedAndTheServerGoesOn() throws IOException {
        try (Socket socket = new Socket("127.0.0.1", Integer.parseInt(api.base().replaceAll(".*:", "")))) {
            socket.setSoTimeout(20_000);
            byte[] head = utf8("GET /api/whoami HTTP/1.1\r\nHost: x\r\nX-Big: " + "y".repeat(4 << 20) + "\r\n\r\n");
            String answer;
            try {
                socket.getOutputStream().write(head);
                answer = new String(socket.getInputStream().readNBytes(4096), StandardCharsets.ISO_8859_1);
            } catch (IOException e) {
                answer = "";
            }
            assertThat(answer).matches("(?s)|HTTP/1.1 4\\d\\d .*").doesNotContain("Exception", "\tat ");
        }
        api.get("/api/whoami").expect(200);
    }

    @Test
    void anUnknownRouteAndAWrongMethodAreProblems() {
        api.get("/api/placement/nothing").expectProblem(404, "NOT_FOUND");
        api.get("/api/nothing").expectProblem(404, "NOT_FOUND");
        api.raw("DELETE", Api.ATTEMPTS, null, new byte[0]).expectProblem(405, "METHOD_NOT_ALLOWED");
        api.raw("PUT", "/api/whoami", JSON, utf8("{}")).expectProblem(405, "METHOD_NOT_ALLOWED");
    }

    @Test
    void aNameThatIsNoneIsNotFoundOrInvalidAndNeverAFailure() {
        for (String id : List.of("nothing", "..%2f..%2fetc", "%00", "a%0ab", "x".repeat(3000), "%2e%2e")) {
            for (String path : List.of("", "/evidence", "/logs", "/output?generation=1")) {
                Answer answer = api.get(Api.ATTEMPTS + "/" + id + path);
                assertThat(answer.status()).as(answer.request() + answer.text()).isBetween(400, 499);
                answer.expectNothingInternal();
            }
        }
    }

    @Test
    void wrongQueriesAndBodiesOfOperationsNameTheirField() {
        String id = api.prepared(aLaunch());
        String path = Api.ATTEMPTS + "/" + id;
        assertInvalid(api.get(Api.ATTEMPTS + "?limit=0"), "limit");
        assertInvalid(api.get(Api.ATTEMPTS + "?limit=x"), "limit");
        assertInvalid(api.get(Api.ATTEMPTS + "?state=nowhere"), "state");
        assertInvalid(api.get(path + "/evidence?after=-1"), "after");
        assertInvalid(api.get(path + "/logs?stream=other"), "stream");
        assertInvalid(api.get(path + "/output?wait=999"), "wait");
        assertInvalid(api.get(path + "/writes/XYZ"), "write_id");
        assertInvalid(api.post(path + "/stop", Map.of("mode", "gentle")), "mode");
        assertInvalid(api.post(path + "/stop", Map.of()), "mode");
        assertInvalid(api.post(path + "/start", Map.of("now", true)), "now");
        assertInvalid(api.post(path + "/attach", Map.of("recipient", "log")), "recipient");
        assertInvalid(api.post(path + "/input", Map.of("generation", 1L, "write_id", "x", "data", "")), "write_id");
        assertInvalid(
                api.post(
                        path + "/input",
                        Map.of("generation", 1L, "write_id", StreamClient.newWriteId(), "data", "%%%")),
                "data");
        assertInvalid(api.post("/api/placement/executables/measure", Map.of("path", 7L)), "path");
        assertInvalid(api.post("/api/tokens", Map.of("owner_id", "a b")), "owner_id");
        assertThat(api.attempt(id)).containsEntry("execution_state", "intended");
    }

    private static void assertInvalid(Answer answer, String field) {
        assertThat(answer.expectProblem(400, "INVALID").text("error")).contains(field);
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
