package org.berth.environment.local;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.berth.environment.EnvironmentRules;
import org.berth.environment.policy.EnvironmentPolicy;
import org.berth.environment.policy.NetworkEndpoint;
import org.berth.host.EnvironmentSettings.Engine;
import org.berth.placement.Capability;
import org.berth.placement.OutputTruncation;
import org.berth.placement.SpawnOrder;

/**
 * The order that starts one environment's helper.
 *
 * @param provider what the provider injects; the only part with secrets, and only the process sees it
 */
record Launch(
        LocalRecord environment,
        LocalLayout layout,
        GuestView view,
        EnvironmentPolicy policy,
        Map<String, String> provider) {
    private static final int DRAIN_MILLIS = 1000;
    private static final int RETAIN_MILLIS = 1000;
    private static final int FIRST_PROXY_PORT = 3128;

    SpawnOrder order() {
        String key = environment.key();
        return new SpawnOrder(
                key,
                environment.nonce(),
                executable().toString(),
                arguments(),
                variables(),
                layout.environment(key).toString(),
                null,
                null,
                true,
                Capability.CONTAINED_TREE,
                DRAIN_MILLIS,
                RETAIN_MILLIS,
                new SpawnOrder.Log(layout.log(key).toString(), OutputTruncation.DEFAULT),
                null,
                0,
                null,
                enclosure());
    }

    private Path executable() {
        return environment.engine() == Engine.BUBBLEWRAP
                ? view.image().resolve("bin/guest")
                : layout.script(environment.key());
    }

    private SpawnOrder.Enclosure enclosure() {
        return environment.engine() == Engine.BUBBLEWRAP
                ? new SpawnOrder.Enclosure(
                        SpawnOrder.Enclosure.Kind.BUBBLEWRAP, BubblewrapArguments.of(view), GuestView.HELPER)
                : new SpawnOrder.Enclosure(
                        SpawnOrder.Enclosure.Kind.UNSHARE,
                        UnshareScript.ARGUMENTS,
                        executable().toString());
    }

    /** The resident helper's options. The proxy is always there, so that what it refuses is recorded. */
    private List<String> arguments() {
        List<String> all = new ArrayList<>(List.of("--control", GuestView.CHANNEL + "/control.sock"));
        for (int port : policy.relays()) {
            all.add("--relay");
            all.add(port + "=" + GuestView.CHANNEL + "/relay-" + port + ".sock");
        }
        all.add("--proxy");
        all.add(proxyPort() + "=" + GuestView.CHANNEL + "/proxy.sock");
        return all;
    }

    private int proxyPort() {
        int port = FIRST_PROXY_PORT;
        while (policy.relays().contains(port)) {
            port++;
        }
        return port;
    }

    private Map<String, String> variables() {
        Map<String, String> all = new LinkedHashMap<>(provider);
        all.put("PATH", "/usr/local/bin:/usr/bin:/bin");
        all.put("HOME", EnvironmentRules.GUEST_ROOT);
        all.put("LANG", "C.UTF-8");
        all.put("TERM", "xterm-256color");
        String proxy = "http://127.0.0.1:" + proxyPort();
        for (String name : List.of("HTTPS_PROXY", "HTTP_PROXY", "https_proxy", "http_proxy")) {
            all.put(name, proxy);
        }
        all.put("NO_PROXY", NetworkEndpoint.GUEST_NAME_OF_HOST);
        all.put("no_proxy", NetworkEndpoint.GUEST_NAME_OF_HOST);
        return all;
    }
}
