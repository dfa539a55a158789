package org.berth.environment.podman;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.berth.environment.DependentObservation;
import org.berth.environment.EnvironmentBinding;
import org.berth.environment.EnvironmentConfig;
import org.berth.environment.EnvironmentPlacement;
import org.berth.environment.EnvironmentResource;
import org.berth.environment.Ownership;
import org.berth.json.JsonText;
import org.berth.problem.BerthException;
import org.berth.problem.ProblemCode;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Counterparts of the reference's tests of its observer. */
class PodmanObserverTest {
    private static final String ID = "compute-one";
    private static final String WORKLOAD = "a".repeat(64);
    private static final String SUPERVISOR = "b".repeat(64);
    private static final String ALL = "GET containers/json?all=true";
    private static final PodmanNames NAMES = new PodmanNames(ID);

    private FakeEngine fake;
    private PodmanObserver observer;
    private final EnvironmentBinding binding = binding(ID, "workspace");

    @BeforeEach
    void engine(@TempDir Path directory) throws IOException {
        fake = new FakeEngine(directory.toRealPath().resolve("engine.sock"));
        observer = new PodmanObserver(fake.ordinaryOwner(), "host");
        rows(List.of(workload("workspace"), supervisor()));
        for (String container : List.of(WORKLOAD, SUPERVISOR)) {
            fake.json("GET containers/" + container + "/json", 200, inspected(container, NAMES.volumes()));
        }
    }

    @AfterEach
    void end() throws IOException {
        fake.close();
    }

    private void rows(List<Map<String, Object>> rows) {
        fake.json(ALL, 200, JsonText.write(rows));
    }

    private static Map<String, Object> workload(String workspace) {
        return Map.of(
                "Id",
                WORKLOAD,
                "Names",
                List.of("workload"),
                "Labels",
                Map.of(
                        PodmanNames.MANAGED,
                        "true",
                        PodmanNames.ID,
                        ID,
                        PodmanNames.ROLE,
                        "sandbox",
                        PodmanNames.WORKSPACE,
                        workspace));
    }

    private static Map<String, Object> supervisor() {
        return Map.of("Id", SUPERVISOR, "Names", List.of(NAMES.supervisor()), "Labels", Map.of());
    }

    private static String inspected(String id, List<String> volumes) {
        return JsonText.write(Map.of(
                "Id",
                id,
                "Mounts",
                volumes.stream()
                        .map(name -> Map.of("Type", "volume", "Name", name))
                        .collect(Collectors.toList())));
    }

    private static EnvironmentBinding binding(String id, String workspace) {
        return new EnvironmentBinding(
                new EnvironmentConfig(
                        "b",
                        "n",
                        "s@r",
                        null,
                        null,
                        "claude-code",
                        "/sandbox/openrig",
                        "http://h:1",
                        new EnvironmentPlacement("g", workspace, "worker", "i", "p", "/policy", null)),
                Ownership.OWNED,
                new EnvironmentResource(id, "worker", workspace, "Ready", null, null),
                null);
    }

    private String captured() {
        return observer.capture(binding, fake.socket().toString());
    }

    @Test
    void captures_the_exact_parts_and_later_ignores_other_resources_of_the_engine() {
        String inventory = captured();
        assertThat(PodmanInventory.read(inventory))
                .returns(ID, PodmanInventory::resourceId)
                .returns(WORKLOAD, PodmanInventory::workloadId)
                .returns(SUPERVISOR, PodmanInventory::supervisorId)
                .returns(NAMES.volumes(), PodmanInventory::volumes);
        rows(List.of(Map.of("Id", "c".repeat(64), "Names", List.of("unrelated"), "Labels", Map.of())));
        assertThat(observer.observe(binding, inventory)).isEqualTo(new DependentObservation(false, false, false));
        assertThat(fake.asked())
                .allMatch(request -> request.startsWith("GET containers/") || request.startsWith("GET volumes/"));
    }

    @Test
    void a_part_that_is_still_there_under_its_id_its_label_or_its_name_is_seen() {
        String inventory = captured();
        rows(List.of(Map.of("Id", WORKLOAD, "Names", List.of("renamed"), "Labels", Map.of())));
        assertThat(observer.observe(binding, inventory)).isEqualTo(new DependentObservation(true, false, false));
        rows(List.of(Map.of("Id", "d".repeat(64), "Names", List.of("/" + NAMES.supervisor()), "Labels", Map.of())));
        assertThat(observer.observe(binding, inventory)).isEqualTo(new DependentObservation(false, true, false));
        rows(List.of());
        fake.json("GET volumes/" + NAMES.control() + "/json", 200, "{}");
        assertThat(observer.observe(binding, inventory)).isEqualTo(new DependentObservation(false, false, true));
    }

    @Test
    void neither_an_error_of_the_engine_nor_a_missing_inventory_is_absence() {
        String inventory = captured();
        rows(List.of());
        fake.json("GET volumes/" + NAMES.workspace() + "/json", 500, "{}");
        refused(() -> observer.observe(binding, inventory));
        refused(() -> observer.observe(binding, null));
        refused(() -> observer.observe(binding, "{}"));
        refused(() -> observer.observe(binding("compute-two", "workspace"), inventory));
        refused(() -> observer.observe(binding(ID, "elsewhere"), inventory));
        fake.json(ALL, 500, "{}");
        refused(() -> observer.observe(binding, inventory));
        fake.raw(ALL, "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n[");
        refused(() -> observer.observe(binding, inventory));
    }

    @Test
    void nothing_is_captured_unless_each_part_is_observed_exactly_once() {
        rows(List.of(workload("workspace")));
        refused(this::captured);
        rows(List.of(workload("workspace"), workload("workspace"), supervisor()));
        refused(this::captured);
        rows(List.of(workload("elsewhere"), supervisor()));
        refused(this::captured);
        rows(List.of(workload("workspace"), supervisor()));
        fake.json("GET containers/" + WORKLOAD + "/json", 200, inspected(WORKLOAD, List.of(NAMES.workspace())));
        fake.json("GET containers/" + SUPERVISOR + "/json", 200, inspected(SUPERVISOR, List.of(NAMES.channel())));
        refused(this::captured);
        fake.json("GET containers/" + SUPERVISOR + "/json", 500, "{}");
        refused(this::captured);
    }

    @Test
    void a_socket_that_is_another_one_now_proves_nothing() {
        String inventory = captured();
        rows(List.of());
        refused(() -> new PodmanObserver(uidOf(inventory), "other-host").observe(binding, inventory));
        for (String changed : List.of("socketInode", "socketDevice", "uid")) {
            refused(() -> observer.observe(
                    binding, inventory.replaceFirst("\"" + changed + "\":\\d+", "\"" + changed + "\":1")));
        }
    }

    private static int uidOf(String inventory) {
        return PodmanInventory.read(inventory).socket().uid();
    }

    private static void refused(ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        BerthException.class,
                        refusal -> assertThat(refusal.code()).isEqualTo(ProblemCode.ENVIRONMENT_CLEANUP_UNCONFIRMED));
    }
}
