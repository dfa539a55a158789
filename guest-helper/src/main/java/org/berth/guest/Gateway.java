package org.berth.guest;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnixDomainSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.berth.process.egress.AddressLookup;
import org.berth.process.egress.EgressRules;
import org.berth.process.egress.Endpoint;
import org.berth.process.egress.ForwardProxy;
import org.berth.process.egress.Refusal;
import org.berth.process.egress.Relay;

/**
 * The outer ends of relays and of the forward proxy, for a container beside the guest's: sockets that lead to ports of the
 * loopback here, and the proxy's socket. Refusals go to the standard output as JSON lines.
 *
 * @param relays sockets and the ports to which they lead
 * @param proxy the proxy's socket; null for none
 * @param allowed what the proxy lets through
 */
record Gateway(Map<Path, Integer> relays, Path proxy, List<Endpoint> allowed) {
    /** @throws IllegalArgumentException for an unknown option or a bad value */
    static Gateway parse(List<String> arguments) {
        Map<Path, Integer> relays = new LinkedHashMap<>();
        Path proxy = null;
        List<Endpoint> allowed = new ArrayList<>();
        for (int i = 0; i < arguments.size(); i += 2) {
            if (i + 1 == arguments.size()) {
                throw new IllegalArgumentException("option " + arguments.get(i) + " is unknown or needs a value");
            }
            String value = arguments.get(i + 1);
            switch (arguments.get(i)) {
                case "--relay-end" -> {
                    int equals = value.lastIndexOf('=');
                    int port = equals < 1 ? 0 : Integer.parseInt(value.substring(equals + 1));
                    if (port < 1 || port > 65_535) {
                        throw new IllegalArgumentException("a relay's end is SOCKET=PORT");
                    }
                    relays.put(Path.of(value.substring(0, equals)), port);
                }
                case "--proxy-end" -> proxy = Path.of(value);
                case "--allow" -> allowed.add(Endpoint.parse(value, 0));
                default -> throw new IllegalArgumentException("unknown option " + arguments.get(i));
            }
        }
        return new Gateway(relays, proxy, allowed);
    }

    /** Serves until the process is ended. */
    void run() throws IOException, InterruptedException {
        List<AutoCloseable> open = new ArrayList<>();
        for (Map.Entry<Path, Integer> each : relays.entrySet()) {
            open.add(Relay.open(
                    UnixDomainSocketAddress.of(each.getKey()),
                    new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), each.getValue())));
        }
        if (proxy != null) {
            open.add(ForwardProxy.open(
                    UnixDomainSocketAddress.of(proxy),
                    new EgressRules(allowed),
                    AddressLookup.ofHost(),
                    Gateway::log,
                    Clock.systemUTC()));
        }
        Runtime.getRuntime().addShutdownHook(new Thread(() -> open.forEach(Gateway::close)));
        new CountDownLatch(1).await();
    }

    private static synchronized void log(Refusal refusal) {
        System.out.write(
                (refusal.toJson() + "\n").getBytes(StandardCharsets.US_ASCII),
                0,
                refusal.toJson().length() + 1);
        System.out.flush();
    }

    private static void close(AutoCloseable closeable) {
        try {
            closeable.close();
        } catch (Exception e) {
            System.err.println("guest: " + e.getMessage());
        }
    }
}
