package org.berth.environment.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.IntStream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.berth.environment.EnvironmentBinding;
import org.berth.environment.EnvironmentConfig;
import org.berth.environment.EnvironmentDriver;
import org.berth.environment.EnvironmentListing;
import org.berth.environment.EnvironmentPlacement;
import org.berth.environment.EnvironmentResource;
import org.berth.environment.EnvironmentRules;
import org.berth.environment.GuestFile;
import org.berth.environment.GuestRead;
import org.berth.environment.GuestUpload;
import org.berth.environment.NativeObservation;
import org.berth.environment.Ownership;
import org.berth.placement.CanonicalJson;
import org.berth.problem.BerthException;
import org.berth.problem.ProblemCode;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * What every driver of environments does. A subclass gives the driver, and placements whose agent program is {@link
 * #AGENT}.
 */
public abstract class EnvironmentDriverContractTest {
    /** A stand-in agent: writes one row of history, runs work/task where there is one, and lives until TERM. */
    public static final String AGENT = """
            #!/bin/sh
            trap 'exit 3' TERM
            case " $* " in *" --session-id "*) id=$2;; *) id=$2;; esac
            mkdir -p "$HOME/projects/-sandbox-openrig-work"
            printf '{"sessionId":"%s","type":"user"}\\n' "$id" >> "$HOME/projects/-sandbox-openrig-work/$id.jsonl"
            if [ -f task ]; then sh task; fi
            while :; do sleep 0.2; done
            """;

    private static final String ROOT = EnvironmentRules.GUEST_ROOT + "/";

    private final List<EnvironmentBinding> made = new ArrayList<>();

    protected abstract EnvironmentDriver driver();

    /** A placement of that name, with the digest of its policy file. */
    protected abstract EnvironmentPlacement placement(String name) throws Exception;

    @AfterEach
    void deleteWhatIsLeft() {
        for (EnvironmentBinding binding : made) {
            try {
                driver().deleteEnvironment(binding, effect(), () -> true);
            } catch (BerthException e) {
                // A test deleted it itself.
                assertThat(e.code()).isNotEqualTo(ProblemCode.INTERNAL);
            }
        }
    }

    protected static String effect() {
        return "env-" + UUID.randomUUID();
    }

    protected static String name() {
        return "w" + UUID.randomUUID().toString().substring(0, 8);
    }

    protected EnvironmentBinding bound(EnvironmentPlacement placement, EnvironmentResource resource) {
        EnvironmentConfig config = new EnvironmentConfig(
                "binding-" + placement.name(),
                "node",
                "worker@rig",
                null,
                null,
                EnvironmentRules.BASE_RUNTIME,
                EnvironmentRules.GUEST_ROOT,
                "http://host.openshell.internal:7782",
                placement);
        return new EnvironmentBinding(config, Ownership.OWNED, resource, null);
    }

    protected EnvironmentBinding created() throws Exception {
        return created(placement(name()));
    }

    protected EnvironmentBinding created(EnvironmentPlacement placement) {
        EnvironmentBinding binding = bound(placement, driver().create(effect(), placement));
        made.add(binding);
        return binding;
    }

    @Test
    void what_was_created_is_ready_and_listed_with_its_effect() throws Exception {
        EnvironmentPlacement placement = placement(name());
        String effect = effect();
        EnvironmentResource resource = driver().create(effect, placement);
        made.add(bound(placement, resource));
        assertThat(resource.phase()).isEqualTo(EnvironmentRules.READY);
        assertThat(resource.operationId()).isEqualTo(effect);
        assertThat(resource.name()).isEqualTo(placement.name());
        assertThat(resource.workspace()).isEqualTo(placement.workspace());
        EnvironmentListing listing = driver().list(placement);
        assertThat(listing.complete()).isTrue();
        assertThat(listing.resources()).contains(resource);
        assertThat(driver().inspect(bound(placement, resource))).isEqualTo(resource);
    }

    @Test
    void a_policy_file_that_changed_since_it_was_selected_makes_nothing() throws Exception {
        EnvironmentPlacement placement = placement(name());
        refused(
                () -> driver().create(effect(), placement.withPolicySha256("0".repeat(64))),
                ProblemCode.ENVIRONMENT_POLICY_CHANGED);
        assertThat(driver().list(placement).resources())
                .extracting(EnvironmentResource::name)
                .doesNotContain(placement.name());
    }

    @Test
    void a_name_is_free_in_another_workspace() throws Exception {
        EnvironmentPlacement here = placement(name());
        EnvironmentBinding mine = created(here);
        EnvironmentPlacement there = new EnvironmentPlacement(
                here.gateway(),
                "elsewhere",
                here.name(),
                here.image(),
                here.provider(),
                here.policy(),
                here.policySha256());
        EnvironmentBinding theirs = created(there);
        assertThat(driver().list(there).resources())
                .filteredOn(each -> here.name().equals(each.name()))
                .containsExactly(theirs.resource());
        assertThat(driver().list(here).resources()).contains(mine.resource()).doesNotContain(theirs.resource());
    }

    @Test
    void a_file_comes_back_as_it_was_put_and_is_replaced_only_when_it_holds_what_is_expected() throws Exception {
        EnvironmentBinding binding = created();
        String path = ROOT + "work/dir/file";
        byte[] first = bytes("first");
        byte[] second = new byte[EnvironmentRules.FILE_BYTES];
        for (int i = 0; i < second.length; i++) {
            second[i] = (byte) (i * 31);
        }
        refused(() -> driver().read(binding, path), ProblemCode.ENVIRONMENT_FILE_MISSING);
        driver().upload(binding, first, path, null, false);
        assertThat(driver().read(binding, path)).isEqualTo(first);
        refused(() -> driver().upload(binding, second, path, null, false), ProblemCode.ENVIRONMENT_PROJECTION_CONFLICT);
        refused(
                () -> driver().upload(binding, second, path, "0".repeat(64), false),
                ProblemCode.ENVIRONMENT_PROJECTION_CONFLICT);
        refused(
                () -> driver().upload(binding, second, path + "2", CanonicalJson.sha256(first), false),
                ProblemCode.ENVIRONMENT_PROJECTION_CHANGED);
        driver().upload(binding, second, path, CanonicalJson.sha256(first), true);
        assertThat(driver().read(binding, path)).isEqualTo(second);
    }

    @Test
    void files_that_go_together_come_back_as_they_were_put_and_each_answers_for_itself() throws Exception {
        EnvironmentBinding binding = created();
        int count = driver().filesTogether();
        List<GuestUpload> uploads = IntStream.range(0, count)
                .mapToObj(i -> new GuestUpload(bytes("file " + i), ROOT + "work/many/f" + i, null, false))
                .toList();
        driver().uploadAll(binding, uploads);
        List<String> paths =
                new ArrayList<>(uploads.stream().map(GuestUpload::destination).toList());
        paths.set(0, ROOT + "work/many/none");
        List<GuestRead> reads = driver().readAll(binding, paths);
        assertThat(reads.getFirst().bytesIfPresent()).isNull();
        refused(() -> reads.getFirst().bytes(), ProblemCode.ENVIRONMENT_FILE_MISSING);
        for (int i = 1; i < count; i++) {
            assertThat(reads.get(i).bytes()).isEqualTo(uploads.get(i).bytes());
        }
        refused(() -> driver().uploadAll(binding, uploads), ProblemCode.ENVIRONMENT_PROJECTION_CONFLICT);
    }

    @Test
    void a_path_outside_the_guest_root_is_refused() throws Exception {
        EnvironmentBinding binding = created();
        assertThatThrownBy(() -> driver().read(binding, "/etc/passwd"))
                .isInstanceOfSatisfying(
                        BerthException.class,
                        refusal -> assertThat(refusal.code().wire()).startsWith("environment_path_"));
        assertThatThrownBy(() -> driver().upload(binding, bytes("x"), ROOT + "../x", null, false))
                .isInstanceOfSatisfying(
                        BerthException.class,
                        refusal -> assertThat(refusal.code().wire()).startsWith("environment_path_"));
    }

    @Test
    void an_environment_that_is_not_the_saved_one_is_not_touched() throws Exception {
        EnvironmentBinding binding = created();
        EnvironmentResource saved = binding.resource();
        EnvironmentBinding other = bound(
                binding.placement(),
                new EnvironmentResource(
                        UUID.randomUUID().toString(),
                        saved.name(),
                        saved.workspace(),
                        saved.phase(),
                        saved.fingerprint(),
                        saved.operationId()));
        refused(() -> driver().read(other, ROOT + "work/x"), ProblemCode.ENVIRONMENT_IDENTITY_CHANGED);
        refused(() -> driver().stopCompute(other, effect(), () -> true), ProblemCode.ENVIRONMENT_IDENTITY_CHANGED);
        refused(
                () -> driver().deleteEnvironment(other, effect(), () -> true),
                ProblemCode.ENVIRONMENT_IDENTITY_CHANGED);
        assertThat(driver().inspect(binding).phase()).isEqualTo(EnvironmentRules.READY);
    }

    @Test
    void a_prepared_native_is_observed_stopped_by_term_and_its_history_is_found() throws Exception {
        EnvironmentBinding binding = created();
        assertThatThrownBy(() -> driver().nativeIdentity(binding)).isInstanceOf(BerthException.class);
        assertThatThrownBy(() -> driver().prepare(binding)).isInstanceOf(BerthException.class);
        String nativeId = launched(binding, null);
        NativeObservation running = awaitNative(binding, true);
        assertThat(running.nativeId()).isEqualTo(nativeId);
        assertThat(running.generation()).isEqualTo("g1");
        assertThat(running.exitCode()).isNull();
        String history = "native/projects/-sandbox-openrig-work/" + nativeId + ".jsonl";
        RealSupervisor.await("the history is whole", () -> {
            try {
                return driver().read(binding, ROOT + history).length > 0;
            } catch (BerthException e) {
                return false;
            }
        });
        byte[] content = driver().read(binding, ROOT + history);
        assertThat(driver().checkpointFiles(binding, running))
                .containsExactly(new GuestFile(history, CanonicalJson.sha256(content), content.length));
        refused(
                () -> driver().stopNative(binding, running, effect(), () -> false),
                ProblemCode.ENVIRONMENT_SELECTION_CHANGED);
        refused(
                () -> driver().stopNative(
                                binding, new NativeObservation(nativeId, "g2", true, 0, null), effect(), () -> true),
                ProblemCode.ENVIRONMENT_NATIVE_CHANGED);
        driver().stopNative(binding, running, effect(), () -> true);
        NativeObservation ended = awaitNative(binding, false);
        assertThat(ended.nativeId()).isEqualTo(nativeId);
        assertThat(ended.exitCode()).isEqualTo(3);
        assertThat(driver().read(binding, ROOT + history)).isEqualTo(content);
    }

    @Test
    void what_the_native_left_running_is_told_after_its_end() throws Exception {
        EnvironmentBinding binding = created();
        launched(binding, "setsid sleep 77 < /dev/null > /dev/null 2>&1 &\n");
        NativeObservation running = awaitNative(binding, true);
        RealSupervisor.await("its child runs", () -> told(binding).contains("sleep"));
        driver().stopNative(binding, running, effect(), () -> true);
        awaitNative(binding, false);
        assertThat(driver().running(binding)).singleElement().asString().endsWith("sleep");
    }

    private String told(EnvironmentBinding binding) {
        return String.join(", ", driver().running(binding));
    }

    @Test
    void a_prepare_of_the_same_bytes_is_the_same_and_of_others_is_refused() throws Exception {
        EnvironmentBinding binding = created();
        launched(binding, null);
        awaitNative(binding, true);
        driver().prepare(binding);
        byte[] before = driver().read(binding, ROOT + "control/launch.pending.json");
        byte[] changed = new String(before, StandardCharsets.UTF_8)
                .replace("\"g1\"", "\"g2\"")
                .getBytes(StandardCharsets.UTF_8);
        driver().upload(binding, changed, ROOT + "control/launch.pending.json", CanonicalJson.sha256(before), false);
        refused(() -> driver().prepare(binding), ProblemCode.ENVIRONMENT_NATIVE_ALREADY_SELECTED);
    }

    @Test
    void stopped_compute_is_stopped_and_takes_no_more_requests() throws Exception {
        EnvironmentBinding binding = created();
        refused(() -> driver().stopCompute(binding, effect(), () -> false), ProblemCode.ENVIRONMENT_SELECTION_CHANGED);
        assertThat(driver().inspect(binding).phase()).isEqualTo(EnvironmentRules.READY);
        driver().stopCompute(binding, effect(), () -> true);
        assertThat(driver().inspect(binding).phase()).isEqualTo(EnvironmentRules.STOPPED);
        refused(() -> driver().read(binding, ROOT + "work/x"), ProblemCode.ENVIRONMENT_NOT_READY);
        refused(() -> driver().connect(binding), ProblemCode.ENVIRONMENT_NOT_READY);
    }

    @Test
    void a_deleted_environment_is_gone_with_every_part_that_was_captured() throws Exception {
        EnvironmentBinding binding = created();
        String inventory = driver().captureCleanup(binding, null);
        assertThat(driver().cleanupState(binding, null)).isNull();
        assertThat(driver().cleanupState(binding, inventory).workload()).isTrue();
        assertThat(driver().cleanupState(binding, inventory).volumes()).isTrue();
        refused(
                () -> driver().deleteEnvironment(binding, effect(), () -> false),
                ProblemCode.ENVIRONMENT_SELECTION_CHANGED);
        driver().deleteEnvironment(binding, effect(), () -> true);
        assertThat(driver().cleanupState(binding, inventory).absent()).isTrue();
        assertThat(driver().list(binding.placement()).resources())
                .extracting(EnvironmentResource::id)
                .doesNotContain(binding.resource().id());
    }

    /** Puts what a launch needs and opens the latch. @param task what the agent runs; null for nothing */
    protected String launched(EnvironmentBinding binding, String task) {
        String nativeId = UUID.randomUUID().toString();
        if (task != null) {
            driver().upload(binding, bytes(task), ROOT + "work/task", null, false);
        }
        byte[] notes = bytes("notes");
        driver().upload(binding, notes, ROOT + "work/CLAUDE.md", null, false);
        Map<String, Object> activity = new TreeMap<>(Map.of(
                "OPENRIG_URL", "http://host.openshell.internal:7782",
                "OPENRIG_ACTIVITY_HOOK_TOKEN", "t",
                "OPENRIG_NODE_ID", "node",
                "OPENRIG_SESSION_NAME", "worker@rig",
                "OPENRIG_OCCUPANT_GENERATION", "g1"));
        driver().upload(binding, bytes(CanonicalJson.write(activity)), ROOT + "control/activity.json", null, false);
        driver().upload(binding, bytes("{\"mcpServers\":{}}"), ROOT + "control/coordination.json", null, false);
        Map<String, Object> descriptor = Map.of(
                "version",
                1,
                "generation",
                "g1",
                "bindingId",
                binding.bindingId(),
                "nativeId",
                nativeId,
                "nativeType",
                EnvironmentRules.NATIVE_TYPE,
                "files",
                List.of(Map.of(
                        "path", "work/CLAUDE.md", "bytes", notes.length, "sha256", CanonicalJson.sha256(notes))));
        driver().upload(
                        binding,
                        bytes(CanonicalJson.write(descriptor)),
                        ROOT + "control/launch.pending.json",
                        null,
                        false);
        driver().prepare(binding);
        return nativeId;
    }

    protected NativeObservation awaitNative(EnvironmentBinding binding, boolean running) throws Exception {
        NativeObservation[] seen = new NativeObservation[1];
        RealSupervisor.await(running ? "the native runs" : "the native ended", () -> {
            try {
                seen[0] = driver().nativeIdentity(binding);
                return seen[0].running() == running;
            } catch (BerthException e) {
                return false;
            }
        });
        return seen[0];
    }

    protected static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    protected static void refused(ThrowingCallable call, ProblemCode code) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        BerthException.class,
                        refusal -> assertThat(refusal.code()).isEqualTo(code));
    }
}
