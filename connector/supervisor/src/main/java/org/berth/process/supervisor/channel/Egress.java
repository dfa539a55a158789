package org.berth.process.supervisor.channel;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.berth.environment.ChannelOrder;
import org.berth.process.egress.AddressLookup;
import org.berth.process.egress.EgressRules;
import org.berth.process.egress.Endpoint;
import org.berth.process.egress.ForwardProxy;
import org.berth.process.egress.RefusalFile;
import org.berth.process.egress.Relay;

/** The relays and the proxy of one channel. Used by the channels' thread. */
final class Egress implements AutoCloseable {
    static final String PROXY = "proxy.sock";

    private final SocketPlace place;
    private final Map<Integer, Relay> relays = new TreeMap<>();
    private final RefusalFile refusals;
    private ForwardProxy proxy;

    private Egress(SocketPlace place, RefusalFile refusals) {
        this.place = place;
        this.refusals = refusals;
    }

    /** Listens for all that {@code order} names, or for nothing. */
    static Egress open(SocketPlace place, ChannelOrder order, Clock clock) throws IOException {
        Egress egress = new Egress(place, new RefusalFile(Path.of(order.refusalLog())));
        try {
            egress.relay(order.relays());
            place.clear(PROXY);
            egress.proxy = ForwardProxy.open(
                    place.address(PROXY), rules(order), AddressLookup.ofHost(), egress.refusals, clock);
            return egress;
        } catch (IOException | RuntimeException e) {
            egress.close();
            throw e;
        }
    }

    /** @throws IllegalArgumentException when an endpoint is none */
    static EgressRules rules(ChannelOrder order) {
        return new EgressRules(order.allowed().stream()
                .map(each -> new Endpoint(each.host(), each.port()))
                .toList());
    }

    static String relayName(int port) {
        return "relay-" + port + ".sock";
    }

    /** Takes over a new order; what it still allows goes on. */
    void change(ChannelOrder order) throws IOException {
        relay(order.relays());
        proxy.rules(rules(order));
    }

    private void relay(List<Integer> ports) throws IOException {
        for (int port : List.copyOf(relays.keySet())) {
            if (!ports.contains(port)) {
                relays.remove(port).close();
            }
        }
        for (int port : ports) {
            if (!relays.containsKey(port)) {
                place.clear(relayName(port));
                relays.put(
                        port,
                        Relay.open(
                                place.address(relayName(port)),
                                new InetSocketAddress(InetAddress.getByAddress(new byte[] {127, 0, 0, 1}), port)));
            }
        }
    }

    /** Refusals since this object was made. For any thread. */
    long refused() {
        return refusals.count();
    }

    @Override
    public void close() {
        List<AutoCloseable> all = new ArrayList<>(relays.values());
        if (proxy != null) {
            all.add(proxy);
        }
        all.add(refusals);
        for (AutoCloseable each : all) {
            try {
                each.close();
            } catch (Exception e) {
                System.err.println("a part of a channel did not close: " + e.getMessage());
            }
        }
    }
}
