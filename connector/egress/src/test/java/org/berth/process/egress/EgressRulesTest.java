package org.berth.process.egress;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.util.List;
import java.util.Set;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class EgressRulesTest {
    private static final List<String> NOT_PUBLIC = List.of(
            "0.0.0.0",
            "0.1.2.3",
            "10.255.0.1",
            "100.64.0.1",
            "100.127.255.255",
            "127.0.0.1",
            "127.255.255.254",
            "169.254.169.254",
            "172.16.0.1",
            "172.31.255.255",
            "192.0.0.8",
            "192.0.2.1",
            "192.88.99.1",
            "192.168.0.1",
            "198.18.0.1",
            "198.51.100.7",
            "203.0.113.9",
            "224.0.0.1",
            "240.0.0.1",
            "255.255.255.255",
            "::",
            "::1",
            "::ffff:127.0.0.1",
            "::ffff:10.0.0.1",
            "::127.0.0.1",
            "64:ff9b::7f00:1",
            "64:ff9b:1::1",
            "100::1",
            "2001::1",
            "2001:db8::1",
            "2002:7f00:1::1",
            "2002:a00:1::",
            "3fff::1",
            "fc00::1",
            "fd12::1",
            "fe80::1",
            "fec0::1",
            "ff02::1");
    private static final List<String> PUBLIC = List.of(
            "1.1.1.1",
            "9.255.255.255",
            "11.0.0.0",
            "100.63.255.255",
            "100.128.0.0",
            "126.255.255.255",
            "128.0.0.0",
            "172.15.255.255",
            "172.32.0.0",
            "192.167.255.255",
            "192.169.0.0",
            "198.17.255.255",
            "198.20.0.0",
            "223.255.255.255",
            "2606:4700::1111",
            "2a00:1450::1",
            "64:ff9b::101:101",
            "2002:101:101::1");

    @Test
    void aNameLeadsToPublicAddressesOnly() {
        EgressRules rules = new EgressRules(Set.of(new Endpoint("api.example.com", 443)));
        Endpoint wanted = new Endpoint("api.example.com", 443);
        for (String each : NOT_PUBLIC) {
            assertThat(rules.admitted(wanted, List.of(InetAddress.ofLiteral(each))))
                    .as(each)
                    .isEmpty();
        }
        for (String each : PUBLIC) {
            assertThat(rules.admitted(wanted, List.of(InetAddress.ofLiteral(each))))
                    .as(each)
                    .hasSize(1);
        }
    }

    @Test
    void anAddressThatIsListedItselfMayBePrivate() {
        InetAddress loopback = InetAddress.ofLiteral("127.0.0.1");
        Endpoint literal = new Endpoint("127.0.0.1", 8080);
        EgressRules rules = new EgressRules(Set.of(literal, new Endpoint("local.example", 8080)));
        assertThat(rules.admitted(literal, List.of(loopback))).containsExactly(loopback);
        assertThat(rules.admitted(new Endpoint("local.example", 8080), List.of(loopback)))
                .containsExactly(loopback);
        EgressRules otherPort = new EgressRules(Set.of(literal, new Endpoint("local.example", 8081)));
        assertThat(otherPort.admitted(new Endpoint("local.example", 8081), List.of(loopback)))
                .isEmpty();
    }

    @Test
    void privateAnswersAmongPublicOnesAreLeftOut() {
        EgressRules rules = new EgressRules(Set.of(new Endpoint("mixed.example", 443)));
        InetAddress good = InetAddress.ofLiteral("1.1.1.1");
        assertThat(rules.admitted(
                        new Endpoint("mixed.example", 443),
                        List.of(InetAddress.ofLiteral("192.168.1.1"), good, InetAddress.ofLiteral("fe80::1"))))
                .containsExactly(good);
    }

    @Property
    void onlyTheListedPairPasses(@ForAll @IntRange(min = 1, max = 65_535) int port) {
        EgressRules rules = new EgressRules(Set.of(new Endpoint("one.example", 443)));
        assertThat(rules.lists(new Endpoint("one.example", port))).isEqualTo(port == 443);
        assertThat(rules.lists(new Endpoint("a.one.example", port))).isFalse();
        assertThat(rules.lists(new Endpoint("one.example.org", port))).isFalse();
    }

    @Property
    void everyLoopbackAndPrivateAddressIsRefused(@ForAll @Size(3) byte[] rest) throws Exception {
        EgressRules rules = new EgressRules(Set.of(new Endpoint("a.example", 1)));
        for (int first : new int[] {0, 10, 127, 224, 255}) {
            InetAddress address = InetAddress.getByAddress(new byte[] {(byte) first, rest[0], rest[1], rest[2]});
            assertThat(rules.admitted(new Endpoint("a.example", 1), List.of(address)))
                    .isEmpty();
        }
    }
}
