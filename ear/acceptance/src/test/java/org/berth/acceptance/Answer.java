package org.berth.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpHeaders;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/**
 * What the server answered.
 *
 * @param request method and path, for messages
 * @param body the bytes as they came
 * @param millis from the call to the last byte
 */
public record Answer(String request, int status, HttpHeaders headers, byte[] body, long millis) {
    public String text() {
        return new String(body, StandardCharsets.UTF_8);
    }

    public Map<String, Object> json() {
        return Json.object(text());
    }

    /** The value at a path of names; null where there is none. */
    public Object at(String... path) {
        return Json.at(json(), path);
    }

    public String text(String... path) {
        return (String) at(path);
    }

    public long number(String... path) {
        return (Long) at(path);
    }

    public String header(String name) {
        return headers.firstValue(name).orElse(null);
    }

    /** This answer, which has {@code status}. */
    public Answer expect(int wanted) {
        assertThat(status).as("%s answers %s", request, text()).isEqualTo(wanted);
        return this;
    }

    /** This answer, which is a whole problem document of {@code code}. Source: api.md, Errors. */
    public Answer expectProblem(int wanted, String code) {
        expect(wanted);
        assertThat(header("Content-Type")).as(request).startsWith("application/problem+json");
        assertThat(header("X-Request-Id")).as("request id of %s", request).isNotBlank();
        assertThat(json()).as(request).containsKeys("type", "title", "status", "detail", "code", "error");
        assertThat(at("code")).as("%s answers %s", request, text()).isEqualTo(code);
        assertThat(number("status")).isEqualTo(wanted);
        assertThat(text("error")).isNotBlank();
        expectNothingInternal();
        return this;
    }

    /** No stack trace and no name of a class or package is in the answer. Source: api.md, Errors. */
    public void expectNothingInternal() {
        assertThat(text())
                .as("the answer to %s", request)
                .doesNotContainPattern("\\bat [a-z]+(\\.[A-Za-z0-9_$]+)+\\(")
                .doesNotContainPattern(
                        "\\b(java|jakarta|javax|org\\.(berth|jboss|wildfly|hibernate|h2|eclipse))\\.[a-z]")
                .doesNotContainPattern("[A-Za-z]+(Exception|Error)\\b(?!\")")
                .doesNotContain("Caused by", "<html", "<HTML");
    }
}
