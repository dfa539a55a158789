package org.berth.process.egress;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.AlphaChars;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.StringLength;
import org.junit.jupiter.api.Test;

class EndpointTest {
    @Test
    void namesAreComparedInLowerCaseAndAddressesInOneForm() {
        assertThat(Endpoint.parse("API.Example.com:443", 0)).isEqualTo(new Endpoint("api.example.com", 443));
        assertThat(Endpoint.parse("[::1]:80", 0)).isEqualTo(Endpoint.parse("[0:0:0:0:0:0:0:1]:80", 0));
        assertThat(Endpoint.parse("127.1:80", 0).host()).isEqualTo("127.0.0.1");
        assertThat(Endpoint.parse("[::ffff:127.0.0.1]:80", 0).host()).isEqualTo("127.0.0.1");
        assertThat(Endpoint.parse("a.example", 80).port()).isEqualTo(80);
        assertThat(Endpoint.parse("[fe80::1]", 80).authority()).isEqualTo("[fe80:0:0:0:0:0:0:1]:80");
    }

    @Test
    void whatIsNoHostAndPortIsRefused() {
        for (String each : List.of(
                "",
                ":80",
                "a.example",
                "a.example:",
                "a.example:0",
                "a.example:65536",
                "a.example:+80",
                "a.example:080000",
                "user@a.example:80",
                "a example:80",
                "a.example:80/",
                "::1:80",
                "[::1",
                "[::1]80",
                "[a.example]:80",
                "[fe80::1%eth0]:80",
                "a..example:80",
                ".a.example:80",
                "a\u0000b:80",
                "x".repeat(254) + ":80")) {
            assertThatThrownBy(() -> Endpoint.parse(each, 0)).as(each).isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Property
    void anAuthorityReadsAsItself(
            @ForAll @AlphaChars @StringLength(min = 1, max = 60) String host,
            @ForAll @IntRange(min = 1, max = 65_535) int port) {
        Endpoint endpoint = new Endpoint(host, port);
        assertThat(Endpoint.parse(endpoint.authority(), 0)).isEqualTo(endpoint);
    }
}
