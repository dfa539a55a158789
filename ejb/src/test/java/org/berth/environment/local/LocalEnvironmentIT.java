package org.berth.environment.local;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;
import org.berth.environment.EnvironmentBinding;
import org.berth.environment.EnvironmentDriver;
import org.berth.environment.EnvironmentPlacement;
import org.berth.environment.EnvironmentResource;
import org.berth.environment.EnvironmentRules;
import org.berth.environment.ViewerCommand;
import org.berth.environment.driver.EnvironmentDriverContractTest;
import org.berth.environment.driver.RealSupervisor;
import org.berth.host.EnvironmentSettings.Engine;
import org.berth.placement.CanonicalJson;
import org.berth.placement.Capability;
import org.berth.placement.OutputTruncation;
import org.berth.placement.ProcessIdentity;
import org.berth.placement.RunnerState;
import org.berth.placement.RunnerStatus;
import org.berth.placement.SpawnOrder;
import org.berth.placement.SpawnOutcome;
import org.berth.placement.StopMode;
import org.berth.placement.TerminalSize;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The embedded driver on the real supervisor, with bubblewrap. */
class LocalEnvironmentIT extends EnvironmentDriverContractTest {
    private static RealSupervisor supervisor;
    private static LocalDriver driver;
    private static Path agent;

    @BeforeAll
    static void start() throws Exception {
        supervisor = RealSupervisor.start();
        agent = supervisor.root().resolve("agent");
        Files.writeString(agent, AGENT);
        Files.setPosixFilePermissions(agent, PosixFilePermissions.fromString("rwx------"));
        driver = null;
    }

    @AfterAll
    static void stop() throws Exception {
        supervisor.close();
    }

    /** What makes the namespaces. */
    Engine engine() {
        return Engine.BUBBLEWRAP;
    }

    @BeforeEach
    void build() {
        if (driver == null) {
            driver = driver(supervisor, engine());
        }
    }

    static LocalDriver driver(RealSupervisor on, Engine engine) {
        return new LocalDriver(
                new LocalDriver.Surroundings(
                        new LocalLayout(on.root().resolve("e")),
                        on.channels(),
                        new Supervised(on),
                        LocalEnvironmentIT::bytesOf,
                        Path::of,
                        provider -> Map.of("ANTHROPIC_API_KEY", "key-of-" + provider),
                        () -> engine,
                        RealSupervisor.built("guest-helper/target/guest"),
                        Clock.systemUTC()),
                new NamespaceCheck(on.commands()),
                new HostProc(Path.of("/proc")));
    }

    private static byte[] bytesOf(String path) {
        try {
            return Files.readAllBytes(Path.of(path));
        } catch (java.io.IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    private record Supervised(RealSupervisor on) implements Compute {
        @Override
        public SpawnOutcome spawn(SpawnOrder order) {
            return Answers.of(on.processes().spawn(order));
        }

        @Override
        public ProcessIdentity find(String key, String nonce) {
            RunnerStatus status = Answers.of(on.processes().status(key, nonce, null));
            return status == null ? null : status.identity();
        }

        @Override
        public void stop(String key, String nonce, int graceMillis, ProcessIdentity process) {
            Answers.of(on.processes().stop(key, nonce, StopMode.COOPERATIVE, graceMillis, process));
        }

        @Override
        public void forget(String key, String nonce) {
            Answers.of(on.processes().forget(key, nonce));
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
        Path file = supervisor.root().resolve(name + ".yaml");
        Files.writeString(file, policy);
        return new EnvironmentPlacement(
                "local",
                "team",
                name,
                agent + "@sha256:" + CanonicalJson.sha256(Files.readAllBytes(agent)),
                "anthropic",
                file.toString(),
                CanonicalJson.sha256(Files.readAllBytes(file)));
    }

    @Test
    void the_same_effect_again_is_the_same_environment() throws Exception {
        EnvironmentPlacement placement = placement(name());
        String effect = effect();
        EnvironmentResource first = driver.create(effect, placement);
        EnvironmentResource again = driver.create(effect, placement);
        assertThat(again).isEqualTo(first);
        assertThat(driver.list(placement).resources())
                .filteredOn(each -> effect.equals(each.operationId()))
                .hasSize(1);
        driver.deleteEnvironment(bound(placement, first), effect(), () -> true);
    }

    @Test
    void an_environment_survives_the_servers_restart() throws Exception {
        EnvironmentBinding binding = created();
        supervisor.restartServer();
        driver = driver(supervisor, engine());
        assertThat(driver.inspect(binding)).isEqualTo(binding.resource());
        launched(binding, null);
        awaitNative(binding, true);
    }

    @Test
    void a_process_that_a_crash_left_unrecorded_is_found_again() throws Exception {
        EnvironmentBinding binding = created();
        LocalRecord whole = recorded(binding);
        new LocalRecords(supervisor.root().resolve("e/metadata")).write(whole.withProcess(null));
        assertThat(driver.inspect(binding)).isEqualTo(binding.resource());
        assertThat(recorded(binding).init()).isEqualTo(whole.init());
    }

    @Test
    void a_record_that_a_crash_left_without_a_process_is_continued_by_the_same_effect() throws Exception {
        EnvironmentPlacement placement = placement(name());
        String effect = effect();
        LocalRecord begun = new LocalRecord(
                UUID.randomUUID().toString(),
                placement.name(),
                placement.workspace(),
                effect,
                UUID.randomUUID().toString(),
                UUID.randomUUID().toString().replace("-", ""),
                placement.image(),
                placement.provider(),
                placement.policySha256(),
                engine(),
                Instant.now(),
                null,
                List.of());
        LocalRecords records = new LocalRecords(supervisor.root().resolve("e/metadata"));
        Files.createDirectories(supervisor.root().resolve("e/metadata"));
        records.write(begun);
        assertThat(driver.list(placement).resources())
                .filteredOn(each -> each.id().equals(begun.id()))
                .extracting(EnvironmentResource::phase)
                .containsExactly("Pending");
        assertThat(unfinished(placement, begun)).isTrue();
        EnvironmentResource continued = driver.create(effect, placement);
        assertThat(unfinished(placement, begun)).isFalse();
        assertThat(continued.id()).isEqualTo(begun.id());
        assertThat(continued.phase()).isEqualTo(EnvironmentRules.READY);
        driver.deleteEnvironment(bound(placement, continued), effect(), () -> true);
    }

    private static boolean unfinished(EnvironmentPlacement placement, LocalRecord of) {
        return driver.isUnfinished(driver.list(placement).resources().stream()
                .filter(each -> each.id().equals(of.id()))
                .findFirst()
                .orElseThrow());
    }

    @Test
    void a_viewer_shows_the_agents_terminal_and_its_end_leaves_the_agent() throws Exception {
        EnvironmentBinding binding = created();
        launched(binding, "while :; do echo agent-says-hello; sleep 0.1; done\n");
        awaitNative(binding, true);
        ViewerCommand command = driver.connect(binding);
        Path log = supervisor.root().resolve("viewer-" + binding.placement().name());
        String key = UUID.randomUUID().toString().replace("-", "");
        SpawnOutcome viewer = Answers.of(supervisor
                .processes()
                .spawn(new SpawnOrder(
                        key,
                        key,
                        command.argv().getFirst(),
                        command.argv().subList(1, command.argv().size()),
                        Map.of("PATH", "/usr/bin:/bin", "TERM", "xterm"),
                        "/",
                        new TerminalSize(40, 120),
                        null,
                        false,
                        Capability.PROCESS_GROUP,
                        1000,
                        1000,
                        new SpawnOrder.Log(log.toString(), OutputTruncation.OFF),
                        null,
                        0,
                        null)));
        assertThat(viewer).isInstanceOf(SpawnOutcome.Spawned.class);
        RealSupervisor.await("the viewer shows what the agent says", () -> {
            try (Stream<Path> files = Files.walk(log)) {
                return files.filter(Files::isRegularFile)
                        .anyMatch(file -> new String(bytesOf(file.toString()), StandardCharsets.ISO_8859_1)
                                .contains("agent-says-hello"));
            } catch (IOException e) {
                return false;
            }
        });
        Answers.of(supervisor.processes().stop(key, key, StopMode.FORCED, 0, null));
        RealSupervisor.await(
                "the viewer is gone",
                () -> Answers.of(supervisor.processes().status(key, key, null)).state() == RunnerState.EXITED);
        assertThat(driver.nativeIdentity(binding).running()).isTrue();
    }

    @Test
    void an_environment_whose_first_process_was_killed_is_stopped() throws Exception {
        EnvironmentBinding binding = created();
        String nativeId = launched(binding, null);
        awaitNative(binding, true);
        LocalRecord recorded = recorded(binding);
        List<HostProc.Seen> inside =
                new HostProc(Path.of("/proc")).below(recorded.init().pid());
        assertThat(inside).hasSizeGreaterThanOrEqualTo(2);
        ProcessHandle.of(recorded.init().pid()).orElseThrow().destroyForcibly();
        RealSupervisor.await(
                "it is stopped", () -> driver.inspect(binding).phase().equals(EnvironmentRules.STOPPED));
        assertThat(inside)
                .allSatisfy(each -> assertThat(new HostProc(Path.of("/proc"))
                                .alive(new ProcessMark(
                                        each.pid(),
                                        each.startTicks(),
                                        recorded.init().bootId())))
                        .isFalse());
        assertThat(nativeId).isNotEmpty();
    }

    @Test
    void the_agent_has_namespaces_of_its_own_and_no_secret_is_on_a_command_line() throws Exception {
        EnvironmentBinding binding = created();
        launched(binding, null);
        long inner = awaitNative(binding, true).pid();
        HostProc proc = new HostProc(Path.of("/proc"));
        LocalRecord recorded = recorded(binding);
        long agentPid = proc.inside(recorded.init(), inner).orElseThrow().pid();
        for (String kind : List.of("pid", "net", "mnt", "user", "ipc", "uts")) {
            assertThat(Files.readSymbolicLink(Path.of("/proc/" + agentPid + "/ns/" + kind)))
                    .as(kind)
                    .isNotEqualTo(Files.readSymbolicLink(Path.of("/proc/self/ns/" + kind)));
        }
        assertThat(Files.readAllLines(Path.of("/proc/" + agentPid + "/status")))
                .contains("CapEff:\t0000000000000000", "CapBnd:\t0000000000000000");
        for (long pid : new long[] {recorded.process().pid(), recorded.init().pid(), agentPid}) {
            assertThat(Files.readString(Path.of("/proc/" + pid + "/cmdline"))).doesNotContain("key-of-anthropic");
        }
    }

    @Test
    void what_the_agent_sees_is_its_own() throws Exception {
        Path secret = supervisor.root().resolve("secret");
        Files.writeString(secret, "canary");
        EnvironmentBinding other = created();
        EnvironmentBinding binding = created();
        String found = probed(binding, """
                for path in %s %s /root /home /var/lib /etc/shadow /run/user /sandbox/other; do
                  if ls "$path" >/dev/null 2>&1; then echo "sees $path"; fi
                done
                grep -rl canary / --include=secret 2>/dev/null
                for path in / /usr /usr/local/bin /etc /run/openrig /opt/openrig /usr/local/bin/claude; do
                  if [ -d "$path" ]; then touch "$path/x" 2>/dev/null && echo "writes $path"; fi
                done
                rm -f /run/openrig/control.sock 2>/dev/null && echo "unlinks"
                cat /etc/passwd; id -u; hostname
                touch /tmp/x && echo tmp; touch /sandbox/openrig/work/x && echo work
                """.formatted(supervisor.root(), RealSupervisor.built("")));
        assertThat(found)
                .isEqualTo("sandbox:x:1000:1000:sandbox:/sandbox/openrig:/bin/sh\n1000\n"
                        + binding.placement().name() + "\ntmp\nwork\n");
        assertThat(driver.inspect(other).phase()).isEqualTo(EnvironmentRules.READY);
    }

    @Test
    void nothing_is_reached_but_what_the_policy_lists_and_refusals_are_told() throws Exception {
        try (AnsweringServer relayed = new AnsweringServer("relayed");
                AnsweringServer listed = new AnsweringServer("listed");
                AnsweringServer hidden = new AnsweringServer("hidden")) {
            EnvironmentBinding binding = created(placement(name(), """
                    version: 1
                    network_policies:
                      work: { endpoints: [ { host: host.openshell.internal, port: %d } ] }
                      model: { endpoints: [ { host: 127.0.0.1, port: %d } ] }
                    """.formatted(relayed.port(), listed.port())));
            String found = probed(binding, """
                    cat > probe <<'PROBE'
                    ask() { exec 3<>/dev/tcp/$1/$2 || { echo "$3: no"; return; }; printf "$4" >&3; echo "$3: $(tail -n 1 <&3)"; exec 3>&-; }
                    ask host.openshell.internal %1$d relay 'GET / HTTP/1.0\r\n\r\n'
                    ask host.openshell.internal %3$d unlisted 'GET / HTTP/1.0\r\n\r\n'
                    ask 127.0.0.1 %3$d loopback 'GET / HTTP/1.0\r\n\r\n'
                    ask 192.0.2.1 80 outside 'GET / HTTP/1.0\r\n\r\n'
                    ask 127.0.0.1 3128 proxied 'GET http://127.0.0.1:%2$d/ HTTP/1.1\r\nHost: 127.0.0.1:%2$d\r\nConnection: close\r\n\r\n'
                    { echo x > /dev/udp/192.0.2.1/53; } 2>/dev/null && echo "udp: sent" || echo "udp: no"
                    refused() { exec 3<>/dev/tcp/127.0.0.1/3128; printf "$1" >&3; head -n 1 <&3 | tr -d '\r'; exec 3>&-; }
                    refused 'GET http://127.0.0.1:%3$d/ HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n'
                    refused 'CONNECT example.org:443 HTTP/1.1\r\nHost: example.org:443\r\n\r\n'
                    PROBE
                    bash probe 2>/dev/null
                    """.formatted(relayed.port(), listed.port(), hidden.port()));
            assertThat(found.lines())
                    .startsWith(
                            "relay: relayed",
                            "unlisted: no",
                            "loopback: no",
                            "outside: no",
                            "proxied: listed",
                            "udp: no")
                    .filteredOn(line -> line.startsWith("HTTP/1.1 403"))
                    .hasSize(2);
            assertThat(hidden.asked()).isZero();
            assertThat(driver.egressRefusals(binding))
                    .hasSize(2)
                    .anySatisfy(sentence -> assertThat(sentence)
                            .contains("127.0.0.1:" + hidden.port())
                            .endsWith("was refused: the policy does not list it."))
                    .anySatisfy(sentence -> assertThat(sentence).contains("example.org:443"));
        }
    }

    @Test
    void a_policy_reads_host_data_and_says_what_it_does_not_enforce() throws Exception {
        // Not below /tmp, which is the guest's own wherever this tree lies.
        Path data = Files.createTempDirectory(Path.of(System.getProperty("user.home")), "berth-data");
        Files.writeString(data.resolve("set"), "rows");
        EnvironmentBinding binding = created(placement(name(), """
                version: 1
                filesystem_policy: { include_workdir: true, read_only: [/usr, /etc, %s] }
                landlock: { compatibility: best_effort }
                """.formatted(data)));
        assertThat(probed(
                        binding,
                        "cat " + data + "/set; touch " + data + "/x || echo closed; touch /tmp/x || echo no\n"))
                .isEqualTo("rowsclosed\nno\n");
        assertThat(driver.unenforced(binding))
                .containsExactly(
                        "Landlock is not used; a mount namespace bounds the file system instead.",
                        "Processor time and memory are not bounded.");
        Files.delete(data.resolve("set"));
        Files.delete(data);
    }

    /** What {@code script} prints, run by the agent inside. */
    private String probed(EnvironmentBinding binding, String script) throws Exception {
        launched(binding, "{ " + script + "} > found.part 2>/dev/null; mv found.part found\n");
        String path = EnvironmentRules.GUEST_ROOT + "/work/found";
        String[] found = new String[1];
        RealSupervisor.await("the probe ended", () -> {
            try {
                found[0] = new String(driver.read(binding, path), java.nio.charset.StandardCharsets.UTF_8);
                return true;
            } catch (org.berth.problem.BerthException e) {
                return false;
            }
        });
        return found[0];
    }

    private static LocalRecord recorded(EnvironmentBinding binding) {
        return new LocalRecords(supervisor.root().resolve("e/metadata"))
                .find(each -> each.id().equals(binding.resource().id()))
                .orElseThrow();
    }

    @Test
    void nothing_of_a_deleted_environment_is_left() throws Exception {
        EnvironmentBinding binding = created();
        String key = recorded(binding).key();
        driver.deleteEnvironment(binding, effect(), () -> true);
        try (Stream<Path> left = Files.walk(supervisor.root().resolve("e"))) {
            assertThat(left)
                    .noneMatch(path -> path.toString().contains(key)
                            || path.toString().contains(binding.resource().id()));
        }
        assertThat(Answers.of(supervisor.processes().list()))
                .noneMatch(each -> each.attemptKey().equals(key));
    }
}
