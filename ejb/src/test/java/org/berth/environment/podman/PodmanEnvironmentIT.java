package org.berth.environment.podman;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.berth.environment.DependentObservation;
import org.berth.environment.EnvironmentBinding;
import org.berth.environment.EnvironmentDriver;
import org.berth.environment.EnvironmentPlacement;
import org.berth.environment.EnvironmentResource;
import org.berth.environment.EnvironmentRules;
import org.berth.environment.ViewerCommand;
import org.berth.environment.driver.EnvironmentDriverContractTest;
import org.berth.environment.driver.RealSupervisor;
import org.berth.placement.CanonicalJson;
import org.berth.problem.BerthException;
import org.berth.problem.ProblemCode;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The contract, and the boundary, on a real rootless Podman. */
class PodmanEnvironmentIT extends EnvironmentDriverContractTest {
    private static final String SECRET = "key-of-anthropic";

    private static TestEngine engine;
    private static GuestSessions sessions;
    private static PodmanDriver driver;

    @BeforeAll
    static void start() throws Exception {
        engine = TestEngine.start(AGENT);
        sessions = new GuestSessions();
        driver = driver(sessions);
    }

    @AfterAll
    static void stop() throws Exception {
        if (engine != null) {
            sessions.close();
            engine.close();
        }
    }

    private static PodmanDriver driver(GuestSessions over) {
        return new PodmanDriver(
                engine.socket().toString(),
                new PodmanDriver.Surroundings(
                        engine.uid(),
                        "this-host",
                        PodmanEnvironmentIT::bytesOf,
                        provider -> Map.of("ANTHROPIC_API_KEY", "key-of-" + provider),
                        () -> null,
                        RealSupervisor.built("guest-helper/target/guest"),
                        Clock.systemUTC()),
                over);
    }

    private static byte[] bytesOf(String path) {
        try {
            return Files.readAllBytes(Path.of(path));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    protected EnvironmentDriver driver() {
        return driver;
    }

    @Override
    protected EnvironmentPlacement placement(String name) throws Exception {
        return placement(name, "version: 1\n");
    }

    private EnvironmentPlacement placement(String name, String policy) throws Exception {
        Path file = Files.writeString(engine.directory().resolve(name + ".yaml"), policy);
        return new EnvironmentPlacement(
                "podman:" + engine.socket(),
                "team",
                name,
                engine.image(),
                "anthropic",
                file.toString(),
                CanonicalJson.sha256(Files.readAllBytes(file)));
    }

    @Test
    void the_same_effect_again_is_the_same_environment() throws Exception {
        EnvironmentPlacement placement = placement(name());
        String effect = effect();
        EnvironmentResource first = driver.create(effect, placement);
        assertThat(driver.create(effect, placement)).isEqualTo(first);
        assertThat(driver.list(placement).resources())
                .filteredOn(each -> effect.equals(each.operationId()))
                .hasSize(1);
        refused(() -> driver.create(effect(), placement), ProblemCode.ENVIRONMENT_NAME_IN_USE);
        driver.deleteEnvironment(bound(placement, first), effect(), () -> true);
    }

    @Test
    void what_a_crash_left_is_listed_as_an_error_and_the_same_effect_goes_on_with_it() throws Exception {
        EnvironmentPlacement placement = placement(name());
        String effect = effect();
        PodmanNames names = PodmanNames.of(effect);
        assertThat(engine.engine()
                        .post(
                                "volumes/create",
                                Map.of("Name", names.workspace(), "Labels", names.labels(effect, placement)))
                        .done())
                .isTrue();
        assertThat(driver.list(placement).resources())
                .contains(new EnvironmentResource(names.id(), placement.name(), "team", "Error", null, effect));
        EnvironmentResource made = driver.create(effect, placement);
        assertThat(made.phase()).isEqualTo(EnvironmentRules.READY);
        assertThat(made.id()).isEqualTo(names.id());
        driver.deleteEnvironment(bound(placement, made), effect(), () -> true);
    }

    @Test
    void an_image_that_the_engine_lacks_or_that_cannot_run_the_helper_makes_nothing() throws Exception {
        EnvironmentPlacement good = placement(name());
        EnvironmentPlacement missing = new EnvironmentPlacement(
                good.gateway(),
                good.workspace(),
                good.name(),
                "localhost/none@sha256:" + "0".repeat(64),
                good.provider(),
                good.policy(),
                good.policySha256());
        refused(() -> driver.create(effect(), missing), ProblemCode.ENVIRONMENT_DRIVER_UNAVAILABLE);
        Path empty = engine.directory().resolve("home/empty.tar");
        assertThat(new ProcessBuilder("tar", "-cf", empty.toString(), "-T", "/dev/null")
                        .start()
                        .waitFor())
                .isZero();
        engine.podman("import", empty.toString(), "localhost/empty:test");
        String digest = engine.podman("images", "--digests", "--format", "{{.Digest}}", "localhost/empty:test");
        EnvironmentPlacement bare = new EnvironmentPlacement(
                good.gateway(),
                good.workspace(),
                good.name(),
                "localhost/empty@" + digest.strip(),
                good.provider(),
                good.policy(),
                good.policySha256());
        refused(() -> driver.create(effect(), bare), ProblemCode.ENVIRONMENT_DRIVER_UNAVAILABLE);
        assertThat(driver.list(good).resources())
                .extracting(EnvironmentResource::name)
                .doesNotContain(good.name());
    }

    @Test
    void an_environment_goes_on_through_restarts_of_engine_and_server() throws Exception {
        EnvironmentBinding binding = created();
        driver.upload(binding, bytes("kept"), EnvironmentRules.GUEST_ROOT + "/work/x", null, false);
        engine.restart();
        assertThat(driver.read(binding, EnvironmentRules.GUEST_ROOT + "/work/x"))
                .isEqualTo(bytes("kept"));
        try (GuestSessions other = new GuestSessions()) {
            PodmanDriver again = driver(other);
            assertThat(again.inspect(binding)).isEqualTo(binding.resource());
            assertThat(again.read(binding, EnvironmentRules.GUEST_ROOT + "/work/x"))
                    .isEqualTo(bytes("kept"));
        }
    }

    @Test
    void no_secret_is_in_what_the_engine_tells_or_on_a_command_line() throws Exception {
        EnvironmentBinding binding = created();
        launched(binding, null);
        awaitNative(binding, true);
        String told = engine.podman("inspect", binding.resource().fingerprint());
        assertThat(told).contains("openshell-provider-").doesNotContain(SECRET);
        assertThat(engine.podman(
                        "inspect", "openshell-supervisor-" + binding.resource().id()))
                .doesNotContain(SECRET);
        assertThat(ProcessHandle.allProcesses()
                        .map(each -> each.info().commandLine().orElse("")))
                .noneMatch(line -> line.contains(SECRET));
    }

    @Test
    void what_the_agent_sees_is_its_own() throws Exception {
        Path secret = Files.writeString(engine.directory().resolve("secret"), "canary");
        EnvironmentBinding other = created();
        driver.upload(other, bytes("canary"), EnvironmentRules.GUEST_ROOT + "/work/secret", null, false);
        EnvironmentBinding binding = created();
        String found = probed(binding, """
                for path in %s %s /root /home /var/lib /etc/shadow /run/user /run/podman; do
                  if ls "$path" >/dev/null 2>&1; then echo "sees $path"; fi
                done
                grep -rl canary / --include=secret 2>/dev/null | grep -v ^/proc
                for path in / /usr /usr/local/bin /etc /run /run/openrig /opt/openrig /usr/local/bin/claude; do
                  if touch "$path/x" 2>/dev/null; then echo "writes $path"; fi
                done
                rm -f /run/openrig/proxy.sock 2>/dev/null && echo "unlinks"
                cat /proc/1/environ 2>/dev/null && echo "reads the helper"
                grep -E 'CapEff|CapBnd|NoNewPrivs' /proc/self/status
                ls /sys/class/net; id -u; hostname
                touch /tmp/x && echo tmp; touch /sandbox/openrig/work/x && echo work
                """.formatted(engine.directory(), RealSupervisor.built("")));
        assertThat(found)
                .isEqualTo("CapEff:\t0000000000000000\nCapBnd:\t0000000000000000\nNoNewPrivs:\t1\nlo\n1000\n"
                        + binding.placement().name() + "\ntmp\nwork\n");
        assertThat(secret).exists();
        assertThat(driver.inspect(other).phase()).isEqualTo(EnvironmentRules.READY);
    }

    @Test
    void the_agent_reaches_what_the_policy_lists_until_its_supervisor_is_stopped() throws Exception {
        HttpServer listed = served("listed");
        HttpServer unlisted = served("unlisted");
        int open = listed.getAddress().getPort();
        int shut = unlisted.getAddress().getPort();
        EnvironmentBinding binding = created(placement(name(), """
                version: 1
                network_policies:
                  host: { endpoints: [ { host: host.openshell.internal, port: %d, protocol: rest } ] }
                """.formatted(open)));
        launched(binding, """
                get() { printf 'GET / HTTP/1.0\\r\\n\\r\\n' | nc -w 3 $1 $2 | tail -1; }
                said() { if [ -n "$1" ]; then echo "$1"; else echo "$2"; fi; }
                n=0
                while :; do
                  n=$((n+1))
                  { said "$(get host.openshell.internal %1$d)" cut
                    said "$(get host.openshell.internal %2$d)" shut
                    said "$(get 192.0.2.1 80)" far
                    printf 'CONNECT 127.0.0.1:%2$d HTTP/1.1\\r\\n\\r\\n' | nc -w 3 127.0.0.1 3128 | head -1
                  } > found.part 2>/dev/null
                  mv found.part found.$n
                  sleep 0.2
                done
                """.formatted(open, shut));
        assertThat(appeared(binding, "found.1"))
                .startsWith("listed\nshut\nfar\n")
                .doesNotContain(" 200 ");
        assertThat(driver.egressRefusals(binding))
                .anySatisfy(sentence -> assertThat(sentence).contains("127.0.0.1:" + shut + " was refused"));
        assertThat(driver.unenforced(binding))
                .contains("Processor time and memory are not bounded.")
                .anySatisfy(sentence -> assertThat(sentence).contains("is not inspected as rest"));
        engine.podman(
                "stop", "-t", "1", "openshell-supervisor-" + binding.resource().id());
        RealSupervisor.await("egress is cut", () -> {
            String last = "";
            for (int i = 1; !last.startsWith("cut") && i < 1000; i++) {
                try {
                    last = text(driver.read(binding, EnvironmentRules.GUEST_ROOT + "/work/found." + i));
                } catch (BerthException e) {
                    return false;
                }
            }
            return last.startsWith("cut");
        });
        assertThat(driver.egressRefusals(binding).getLast()).contains("nothing is let out");
        listed.stop(0);
        unlisted.stop(0);
    }

    private static HttpServer served(String text) throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            byte[] bytes = bytes(text + "\n");
            exchange.sendResponseHeaders(200, bytes.length);
            exchange.getResponseBody().write(bytes);
            exchange.close();
        });
        server.start();
        return server;
    }

    @Test
    void a_viewer_shows_the_natives_terminal_and_types_into_it() throws Exception {
        EnvironmentBinding binding = created();
        launched(binding, "while read line; do echo \"heard $line\"; done\n");
        awaitNative(binding, true);
        ViewerCommand viewer = driver.connect(binding);
        Process process = engine.asUser(viewer.argv())
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        StringBuilder shown = new StringBuilder();
        Thread reader = Thread.ofVirtual().start(() -> {
            try (var out = process.inputReader(StandardCharsets.UTF_8)) {
                for (int next = out.read(); next >= 0; next = out.read()) {
                    synchronized (shown) {
                        shown.append((char) next);
                    }
                }
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
        process.getOutputStream().write(bytes("hello\r"));
        process.getOutputStream().flush();
        RealSupervisor.await("the terminal answers", () -> {
            synchronized (shown) {
                return shown.indexOf("heard hello") >= 0;
            }
        });
        process.getOutputStream().write(0x1d);
        process.getOutputStream().flush();
        assertThat(process.waitFor(20, TimeUnit.SECONDS)).isTrue();
        reader.join();
        assertThat(driver.nativeIdentity(binding).running()).isTrue();
    }

    @Test
    void the_inventory_names_the_same_parts_and_an_engine_that_changed_proves_nothing() throws Exception {
        EnvironmentBinding binding = created();
        String inventory = driver.captureCleanup(binding, engine.socket().toString());
        assertThat(driver.cleanupState(binding, inventory)).isEqualTo(new DependentObservation(true, true, true));
        refused(() -> driver.captureCleanup(binding, "/run/other.sock"), ProblemCode.ENVIRONMENT_ENGINE_CHANGED);
        engine.podman("rm", "-f", "-t", "0", binding.resource().fingerprint());
        assertThat(driver.cleanupState(binding, inventory)).isEqualTo(new DependentObservation(false, true, true));
        assertThat(driver.inspect(binding).phase()).isEqualTo("Error");
        driver.deleteEnvironment(binding, effect(), () -> true);
        assertThat(driver.cleanupState(binding, inventory).absent()).isTrue();
        refused(
                () -> driver.cleanupState(binding, inventory.replaceFirst("\"socketInode\":\\d+", "\"socketInode\":1")),
                ProblemCode.ENVIRONMENT_CLEANUP_UNCONFIRMED);
    }

    @Test
    void a_volume_that_is_left_or_made_again_keeps_the_deletion_unproven() throws Exception {
        EnvironmentBinding binding = created();
        String inventory = driver.captureCleanup(binding, null);
        String volume = new PodmanNames(binding.resource().id()).control();
        driver.deleteEnvironment(binding, effect(), () -> true);
        assertThat(driver.cleanupState(binding, inventory).absent()).isTrue();
        engine.podman("volume", "create", volume);
        assertThat(driver.cleanupState(binding, inventory)).isEqualTo(new DependentObservation(false, false, true));
        engine.podman("volume", "rm", volume);
        assertThat(driver.cleanupState(binding, inventory).absent()).isTrue();
    }

    @Test
    void nothing_of_a_deleted_environment_is_left() throws Exception {
        EnvironmentBinding binding = created();
        String id = binding.resource().id();
        driver.deleteEnvironment(binding, effect(), () -> true);
        assertThat(engine.podman("ps", "-a", "--format", "{{.Names}}")).doesNotContain(id);
        assertThat(engine.podman("volume", "ls", "-q")).doesNotContain(id);
        assertThat(engine.podman("secret", "ls", "--format", "{{.Name}}")).doesNotContain(id);
    }

    @Test
    void creation_and_a_round_trip_take_no_longer_than_with_podmans_own_command() throws Exception {
        long[] creations = new long[5];
        long[] trips = new long[21];
        long[] commands = new long[5];
        long[] execs = new long[5];
        for (int i = 0; i < creations.length; i++) {
            EnvironmentPlacement placement = placement(name());
            long start = System.nanoTime();
            EnvironmentBinding binding = created(placement);
            creations[i] = System.nanoTime() - start;
            commands[i] = byCommand(i, execs);
            if (i == 0) {
                String path = EnvironmentRules.GUEST_ROOT + "/work/x";
                driver.upload(binding, new byte[4096], path, null, false);
                for (int j = 0; j < trips.length; j++) {
                    long begin = System.nanoTime();
                    driver.read(binding, path);
                    trips[j] = System.nanoTime() - begin;
                }
            }
        }
        System.out.printf(
                "create to first reply p50 %.0f ms, by podman %.0f ms; round trip p50 %.1f ms, by podman exec %.0f ms%n",
                median(creations) / 1e6, median(commands) / 1e6, median(trips) / 1e6, median(execs) / 1e6);
        assertThat(median(creations)).isLessThan(2 * median(commands));
        assertThat(median(trips)).isLessThan(median(execs));
    }

    /** The same steps by hand: three volumes, a secret, two containers and one exec of the helper. */
    private static long byCommand(int index, long[] execs) throws Exception {
        String mark = "cli-" + index;
        Path secret = Files.writeString(engine.directory().resolve("cli-secret"), "{}");
        String helper = RealSupervisor.built("guest-helper/target/guest") + ":/opt/openrig:ro";
        long start = System.nanoTime();
        engine.podman("secret", "create", mark, secret.toString());
        for (String volume : List.of("a", "b", "c")) {
            engine.podman("volume", "create", mark + volume);
        }
        String[] common = {
            "run",
            "-d",
            "--user",
            "1000:1000",
            "--cap-drop",
            "ALL",
            "--read-only",
            "--security-opt",
            "no-new-privileges",
            "-v",
            helper,
            "--entrypoint",
            "/opt/openrig/bin/guest"
        };
        engine.podman(joined(
                common,
                "--name",
                mark + "s",
                "--network",
                "host",
                "-v",
                mark + "b:/run/openrig",
                "-v",
                mark + "c:/run/c",
                engine.image(),
                "--gateway",
                "--proxy-end",
                "/run/openrig/proxy.sock"));
        engine.podman(joined(
                common,
                "--name",
                mark + "w",
                "--network",
                "none",
                "-v",
                mark + "a:/sandbox/openrig",
                "-v",
                mark + "b:/run/openrig:ro",
                "--secret",
                mark + ",target=/etc/openrig/provider",
                engine.image(),
                "--root",
                "/sandbox/openrig"));
        long exec = System.nanoTime();
        engine.podman("exec", mark + "w", "/opt/openrig/bin/guest", "--stage", "/sandbox/openrig/control/transfer-x");
        long end = System.nanoTime();
        execs[index] = end - exec;
        engine.podman("rm", "-f", "-t", "0", mark + "w", mark + "s");
        return end - start;
    }

    private static String[] joined(String[] first, String... more) {
        String[] all = Arrays.copyOf(first, first.length + more.length);
        System.arraycopy(more, 0, all, first.length, more.length);
        return all;
    }

    private static long median(long[] values) {
        long[] sorted = values.clone();
        Arrays.sort(sorted);
        return sorted[sorted.length / 2];
    }

    /** What {@code script} prints, run by the agent inside. */
    private String probed(EnvironmentBinding binding, String script) throws Exception {
        launched(binding, "{ " + script + "} > found.part 2>/dev/null; mv found.part found\n");
        return appeared(binding, "found");
    }

    private static String appeared(EnvironmentBinding binding, String file) throws Exception {
        String[] found = new String[1];
        RealSupervisor.await("the probe wrote " + file, () -> {
            try {
                found[0] = text(driver.read(binding, EnvironmentRules.GUEST_ROOT + "/work/" + file));
                return true;
            } catch (BerthException e) {
                return false;
            }
        });
        return found[0];
    }

    private static String text(byte[] bytes) {
        return new String(bytes, StandardCharsets.UTF_8);
    }
}
