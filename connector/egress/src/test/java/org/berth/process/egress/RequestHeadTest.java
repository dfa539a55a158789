package org.berth.process.egress;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

class RequestHeadTest {
    private static RequestHead parse(String head) {
        return RequestHead.parse(head.getBytes(StandardCharsets.ISO_8859_1));
    }

    @Test
    void aConnectNamesItsEndpoint() {
        RequestHead head = parse("CONNECT a.example:443 HTTP/1.1\r\nHost: b.example:443\r\n\r\n");
        assertThat(head.tunnel()).isTrue();
        assertThat(head.endpoint()).isEqualTo(new Endpoint("a.example", 443));
    }

    @Test
    void anAbsoluteRequestBecomesTheEndpointsOwn() {
        RequestHead head = parse("POST http://A.example:8080/x/y?q=1 HTTP/1.1\r\nHost: other.example\r\n"
                + "Proxy-Authorization: Basic eDp5\r\nConnection: keep-alive, X-Hop\r\nX-Hop: 1\r\nUpgrade: websocket\r\n"
                + "X-Kept: v \r\nContent-Length: 12\r\n\r\n");
        assertThat(head.endpoint()).isEqualTo(new Endpoint("a.example", 8080));
        assertThat(head.bodyBytes()).isEqualTo(12);
        assertThat(new String(head.originHead(), StandardCharsets.ISO_8859_1))
                .isEqualTo("POST /x/y?q=1 HTTP/1.1\r\nHost: A.example:8080\r\nX-Kept: v\r\nContent-Length: 12\r\n"
                        + "Connection: close\r\n\r\n");
    }

    @Test
    void aBareAuthorityMeansTheRoot() {
        assertThat(new String(
                        parse("GET http://a.example?q HTTP/1.1\r\n\r\n").originHead(), StandardCharsets.ISO_8859_1))
                .startsWith("GET /?q HTTP/1.1\r\n");
        assertThat(new String(
                        parse("OPTIONS http://a.example HTTP/1.1\r\n\r\n").originHead(), StandardCharsets.ISO_8859_1))
                .startsWith("OPTIONS * HTTP/1.1\r\n");
    }

    @Test
    void aConnectionHeaderCannotHideTheLength() {
        RequestHead head =
                parse("POST http://a.example/ HTTP/1.1\r\nConnection: Content-Length\r\nContent-Length: 3\r\n\r\n");
        assertThat(new String(head.originHead(), StandardCharsets.ISO_8859_1)).contains("Content-Length: 3");
    }

    @Test
    void doubtfulHeadsAreRefused() {
        for (String each : List.of(
                "GET / HTTP/1.1\r\n\r\n",
                "GET https://a.example/ HTTP/1.1\r\n\r\n",
                "GET http://user@a.example/ HTTP/1.1\r\n\r\n",
                "GET http://a.example/#f HTTP/1.1\r\n\r\n",
                "GET http:///x HTTP/1.1\r\n\r\n",
                "GET  http://a.example/ HTTP/1.1\r\n\r\n",
                "GET http://a.example/ HTTP/2\r\n\r\n",
                "GET http://a.example/\r\n\r\n",
                "CONNECT a.example HTTP/1.1\r\n\r\n",
                "CONNECT http://a.example:80 HTTP/1.1\r\n\r\n",
                "GET http://a.example/ HTTP/1.1\r\nA : b\r\n\r\n",
                "GET http://a.example/ HTTP/1.1\r\nA: b\r\n folded\r\n\r\n",
                "GET http://a.example/ HTTP/1.1\r\nA: b\nC: d\r\n\r\n",
                "GET http://a.example/ HTTP/1.1\r\nnocolon\r\n\r\n",
                "POST http://a.example/ HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 1\r\n\r\n",
                "POST http://a.example/ HTTP/1.1\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n",
                "POST http://a.example/ HTTP/1.1\r\nTransfer-Encoding: gzip, chunked\r\n\r\n",
                "POST http://a.example/ HTTP/1.1\r\nContent-Length: -1\r\n\r\n",
                "POST http://a.example/ HTTP/1.1\r\nContent-Length: 1, 1\r\n\r\n")) {
            assertThatThrownBy(() -> parse(each)).as(each).isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Property
    void anyBytesAreReadOrRefused(@ForAll byte[] bytes) {
        try {
            assertThat(RequestHead.parse(bytes).endpoint()).isNotNull();
        } catch (IllegalArgumentException e) {
            assertThat(e.getMessage()).isNotEmpty();
        }
    }
}
