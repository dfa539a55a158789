package org.berth.credential.service;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.berth.credential.service.Launches.CANARY;
import static org.berth.credential.service.Launches.INITIALISERS;
import static org.berth.credential.service.Launches.LOGIN_PATH;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.berth.driver.DeliveredFile;
import org.berth.driver.Delivery;
import org.berth.driver.DriverDefinition;
import org.berth.driver.SetupFile;
import org.berth.host.SecretBytes;
import org.berth.problem.BerthException;
import org.berth.problem.ProblemCode;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProviderHomesTest {
    private static final class Halted extends Error {
        private static final long serialVersionUID = 1L;
    }

    @TempDir
    private Path given;

    private Path home;
    private final ProviderHomes homes = new ProviderHomes();

    @BeforeEach
    void aPrivateHome() throws IOException {
        home = Files.createDirectories(given.toRealPath().resolve("k/home"));
    }

    private ProviderHome home(boolean retained) {
        return new ProviderHome(home.getParent(), retained, Launches.definition("agent", "1"));
    }

    private Seed seed(ProviderHome into, String login) {
        return new Seed(
                into,
                "login",
                login == null,
                login == null ? null : new SecretBytes(login.getBytes(UTF_8)),
                Map.of(".agent/config.toml", new SecretBytes(new byte[0])),
                INITIALISERS);
    }

    private SeedOutcome seeded(boolean retained) throws ConfigurationUncertainException {
        return homes.seed(seed(home(retained), CANARY), () -> true);
    }

    private static Delivery delivery(String... pathsAndContents) {
        List<DeliveredFile> files = new ArrayList<>();
        for (int i = 0; i < pathsAndContents.length; i += 2) {
            files.add(new DeliveredFile(pathsAndContents[i], pathsAndContents[i + 1]));
        }
        return new Delivery(List.of(), files);
    }

    private interface Call {
        void run() throws Exception;
    }

    private static void refused(Call call, String sentence) {
        assertThatThrownBy(call::run)
                .isInstanceOfSatisfying(
                        BerthException.class,
                        refusal -> assertThat(refusal.code()).isEqualTo(ProblemCode.CONFLICT))
                .hasMessageContaining(sentence)
                .hasMessageNotContaining(CANARY);
    }

    private static String mode(Path path) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(path, LinkOption.NOFOLLOW_LINKS));
    }

    @Test
    void an_attempts_home_gets_the_login_its_setup_and_its_first_state_all_private() throws Exception {
        assertThat(seeded(false)).isEqualTo(SeedOutcome.LOGIN_WRITTEN);
        assertThat(home.resolve(LOGIN_PATH)).hasContent(CANARY);
        assertThat(home.resolve(".agent/config.toml")).isEmptyFile();
        assertThat(home.resolve(".agent.json")).hasContent("{\"hasCompletedOnboarding\":true}");
        assertThat(mode(home.resolve(".agent"))).isEqualTo("rwx------");
        try (Stream<Path> all = Files.walk(given)) {
            for (Path file : all.filter(Files::isRegularFile).toList()) {
                assertThat(mode(file)).as(file.toString()).isEqualTo("rw-------");
            }
        }
    }

    @Test
    void no_other_file_than_the_login_holds_a_byte_of_it() throws Exception {
        seeded(true);
        homes.publish(home(true), delivery("plain.toml", "x"), () -> true);
        try (Stream<Path> all = Files.walk(given)) {
            for (Path file : all.filter(Files::isRegularFile).toList()) {
                assertThat(Files.readString(file).contains(CANARY))
                        .as(file.toString())
                        .isEqualTo(file.endsWith(LOGIN_PATH));
            }
        }
        assertThat(seed(home(true), CANARY).toString()).doesNotContain(CANARY);
    }

    @Test
    void an_attempts_home_that_is_not_new_is_refused() throws Exception {
        Files.writeString(home.resolve("x"), "x");
        refused(() -> seeded(false), "is not empty");
        Files.delete(home.resolve("x"));
        seeded(false);
        refused(() -> seeded(false), "was seeded before");
    }

    @Test
    void a_matching_resume_leaves_the_login_untouched() throws Exception {
        seeded(true);
        Files.writeString(home.resolve(LOGIN_PATH), "refreshed by the program");
        assertThat(seeded(true)).isEqualTo(SeedOutcome.RESUMED);
        assertThat(home.resolve(LOGIN_PATH)).hasContent("refreshed by the program");
    }

    @Test
    void changed_identity_refuses_reuse() throws Exception {
        seeded(true);
        for (DriverDefinition other : List.of(Launches.definition("other", "1"), Launches.definition("agent", "2"))) {
            refused(
                    () -> homes.seed(seed(new ProviderHome(home.getParent(), true, other), CANARY), () -> true),
                    "another provider, definition or projection");
        }
        refused(
                () -> homes.seed(
                        new Seed(home(true), "other", false, new SecretBytes(new byte[] {1}), Map.of(), List.of()),
                        () -> true),
                "another provider, definition or projection");
        refused(
                () -> homes.seed(new Seed(home(true), null, false, null, Map.of(), List.of()), () -> true),
                "another provider, definition or projection");
    }

    @Test
    void a_changed_optional_policy_refuses_reuse() throws Exception {
        seeded(true);
        refused(
                () -> homes.seed(
                        new Seed(home(true), "login", true, new SecretBytes(new byte[] {1}), Map.of(), List.of()),
                        () -> true),
                "was not optional");
    }

    @Test
    void an_absent_login_is_never_replaced_by_later_machine_credentials() throws Exception {
        assertThat(homes.seed(seed(home(true), null), () -> true)).isEqualTo(SeedOutcome.WITHOUT_LOGIN);
        assertThat(home.resolve(LOGIN_PATH)).doesNotExist();
        Seed later = new Seed(home(true), "login", true, new SecretBytes(CANARY.getBytes(UTF_8)), Map.of(), List.of());
        assertThat(homes.seed(later, () -> true)).isEqualTo(SeedOutcome.RESUMED);
        assertThat(home.resolve(LOGIN_PATH)).doesNotExist();
    }

    @Test
    void an_interactively_created_login_is_never_replaced_by_later_machine_credentials() throws Exception {
        homes.seed(seed(home(true), null), () -> true);
        Launches.secret(home.resolve(LOGIN_PATH), "signed in");
        Seed later = new Seed(home(true), "login", true, new SecretBytes(CANARY.getBytes(UTF_8)), Map.of(), List.of());
        homes.seed(later, () -> true);
        assertThat(home.resolve(LOGIN_PATH)).hasContent("signed in");
    }

    @Test
    void an_empty_login_is_an_error_and_writes_nothing() throws IOException {
        refused(() -> homes.seed(seed(home(false), ""), () -> true), "empty login");
        assertThat(home).isEmptyDirectory();
        assertThat(home.getParent().toFile().list()).containsExactly("home");
    }

    @Test
    void a_login_needs_a_driver_that_declares_its_place() {
        DriverDefinition none = new DriverDefinition(
                "agent", "1", "agent", Map.of(), Map.of(), null, List.of(), List.of(), java.util.Set.of());
        refused(
                () -> homes.seed(seed(new ProviderHome(home.getParent(), false, none), CANARY), () -> true),
                "declares no place");
    }

    @Test
    void what_was_brought_is_compared_with_what_the_driver_declares() {
        Map<String, SecretBytes> setup = Map.of(".ssh/config", new SecretBytes(new byte[] {1}));
        refused(
                () -> homes.seed(new Seed(home(false), null, false, null, setup, List.of()), () -> true),
                "does not declare the setup file .ssh/config");
        List<SetupFile> overwriting = List.of(new SetupFile(LOGIN_PATH, "{}", false));
        refused(
                () -> homes.seed(new Seed(home(false), null, false, null, Map.of(), overwriting), () -> true),
                "would be the login file");
        assertThat(home).isEmptyDirectory();
    }

    @Test
    void a_stop_before_the_seed_fences_it() throws Exception {
        assertThat(homes.seed(seed(home(true), CANARY), () -> false)).isEqualTo(SeedOutcome.FENCED);
        assertThat(homes.publish(home(true), delivery("a", "1"), () -> false)).isFalse();
        assertThat(home.getParent().toFile().list()).containsExactly("home");
        assertThat(home).isEmptyDirectory();
        assertThat(seeded(true)).isEqualTo(SeedOutcome.LOGIN_WRITTEN);
        assertThat(homes.seed(seed(home(true), CANARY), () -> false)).isEqualTo(SeedOutcome.FENCED);
    }

    @Test
    void a_retained_home_with_files_that_no_seed_made_is_refused() throws IOException {
        Files.createDirectory(home.resolve(".agent"));
        refused(() -> seeded(true), "files that no seed made");
    }

    @Test
    void an_interrupted_seed_refuses_reuse_at_whatever_step_it_ended() throws Exception {
        AtomicInteger steps = new AtomicInteger();
        new ProviderHomes(step -> steps.incrementAndGet()).seed(seed(home(true), CANARY), () -> true);
        assertThat(steps.get()).isGreaterThan(SeedStep.values().length);
        for (int halt = 1; halt <= steps.get(); halt++) {
            home = Files.createDirectories(given.toRealPath().resolve("halt" + halt + "/home"));
            int last = halt;
            AtomicInteger passed = new AtomicInteger();
            ProviderHomes halting = new ProviderHomes(step -> {
                if (passed.incrementAndGet() == last) {
                    throw new Halted();
                }
            });
            assertThatThrownBy(() -> halting.seed(seed(home(true), CANARY), () -> true))
                    .isInstanceOf(Halted.class);
            if (halt < steps.get()) {
                assertThat(home.resolveSibling("provider.json")).doesNotExist();
                refused(() -> seeded(true), "first seed was interrupted");
                refused(() -> homes.publish(home(true), delivery("a", "b"), () -> true), "was not seeded to its end");
            } else {
                assertThat(seeded(true)).isEqualTo(SeedOutcome.RESUMED);
            }
        }
    }

    @Test
    void a_marker_that_was_changed_is_a_storage_failure() throws Exception {
        seeded(true);
        for (String text : List.of("{}", "no json", "{\"provider\":1}")) {
            Launches.secret(home.resolveSibling("provider.json"), text);
            assertThatThrownBy(() -> seeded(true))
                    .isInstanceOfSatisfying(
                            BerthException.class,
                            refusal -> assertThat(refusal.code()).isEqualTo(ProblemCode.STORAGE));
        }
    }

    @Test
    void a_resume_adds_what_a_start_needs_and_loses_nothing_of_the_programs_own() throws Exception {
        seeded(true);
        Files.writeString(
                home.resolve(".agent.json"),
                "{\"projects\":{\"/a\":{\"trusted\":false,\"cost\":0.25}},\"hasCompletedOnboarding\":false}");
        Seed later = new Seed(
                home(true),
                "login",
                false,
                new SecretBytes(new byte[] {1}),
                Map.of(),
                List.of(new SetupFile(
                        ".agent.json",
                        "{\"hasCompletedOnboarding\":true,\"projects\":{\"/a\":{\"trusted\":true},\"/b\":{\"trusted\":true}}}",
                        false)));
        homes.seed(later, () -> true);
        assertThat(home.resolve(".agent.json"))
                .hasContent("{\"projects\":{\"/a\":{\"trusted\":false,\"cost\":0.25},\"/b\":{\"trusted\":true}},"
                        + "\"hasCompletedOnboarding\":false}");
        Files.writeString(home.resolve(".agent.json"), "not json at all");
        homes.seed(later, () -> true);
        assertThat(home.resolve(".agent.json")).hasContent("not json at all");
    }

    @Test
    void the_directories_that_the_programs_variables_name_are_there_from_the_first_start() throws Exception {
        homes.seed(new Seed(home(false), null, false, null, Map.of(), List.of()), () -> true);
        assertThat(home.toFile().list()).containsExactly(".agent");
        assertThat(mode(home.resolve(".agent"))).isEqualTo("rwx------");
        assertThat(home.resolve(".agent")).isEmptyDirectory();
    }

    private void resume(String path, String content) throws ConfigurationUncertainException {
        homes.seed(
                new Seed(
                        home(true),
                        "login",
                        false,
                        new SecretBytes(new byte[] {1}),
                        Map.of(),
                        List.of(new SetupFile(path, content, false))),
                () -> true);
    }

    @Test
    void a_first_state_that_is_no_json_is_renewed_while_only_berth_wrote_it() throws Exception {
        seeded(true);
        resume(".agent/trust.toml", "[first]");
        assertThat(home.resolve(".agent/trust.toml")).hasContent("[first]");
        resume(".agent/trust.toml", "[second]");
        assertThat(home.resolve(".agent/trust.toml")).hasContent("[second]");
        Files.writeString(home.resolve(".agent/trust.toml"), "[the program's]");
        resume(".agent/trust.toml", "[third]");
        assertThat(home.resolve(".agent/trust.toml")).hasContent("[the program's]");
    }

    @Test
    void a_list_of_the_first_state_gets_its_missing_items() throws Exception {
        seeded(true);
        Path state = Files.createDirectory(home.resolve("program")).resolve("state.json");
        Files.writeString(state, "{\"trusted\":[\"/a\"],\"own\":1}");
        resume("program/state.json", "{\"trusted\":[\"/a\",\"/b\"],\"own\":2}");
        assertThat(state).hasContent("{\"trusted\":[\"/a\",\"/b\"],\"own\":1}");
    }

    @Test
    void a_first_state_is_not_written_through_a_link() throws Exception {
        seeded(true);
        Path outside = Files.writeString(given.resolve("outside.json"), "{}");
        Files.createSymbolicLink(home.resolve("state.json"), outside);
        resume("state.json", "{\"a\":1}");
        assertThat(outside).hasContent("{}");
        assertThat(home.resolve("state.json")).isSymbolicLink();
    }

    @Test
    void configuration_is_published_with_its_parents_one_by_one_and_private() throws Exception {
        seeded(false);
        assertThat(homes.publish(home(false), delivery(".agents/a/b/mcp.json", "{}", ".agent/c.toml", "x"), () -> true))
                .isTrue();
        assertThat(home.resolve(".agents/a/b/mcp.json")).hasContent("{}");
        assertThat(mode(home.resolve(".agents/a/b/mcp.json"))).isEqualTo("rw-------");
        for (String directory : List.of(".agents", ".agents/a", ".agents/a/b")) {
            assertThat(mode(home.resolve(directory))).isEqualTo("rwx------");
        }
    }

    @Test
    void configuration_is_published_file_by_file_while_the_attempt_may_go_on() throws Exception {
        seeded(false);
        AtomicInteger asked = new AtomicInteger();
        assertThat(homes.publish(
                        home(false), delivery("a", "1", "b", "2", "c", "3"), () -> asked.incrementAndGet() < 3))
                .isFalse();
        assertThat(home.resolve("a")).hasContent("1");
        assertThat(home.resolve("b")).hasContent("2");
        assertThat(home.resolve("c")).doesNotExist();
    }

    @Test
    void a_later_failure_does_not_roll_back_earlier_files() throws Exception {
        seeded(true);
        Files.createDirectory(home.resolve("program"));
        refused(
                () -> homes.publish(home(true), delivery("a", "1", "program/b", "2"), () -> true),
                "Berth did not make it");
        assertThat(home.resolve("a")).hasContent("1");
        assertThat(home.resolve("program")).isEmptyDirectory();
    }

    @Test
    void a_retained_homes_generated_configuration_is_replaced_at_once() throws Exception {
        seeded(true);
        homes.publish(home(true), delivery("d/config", "1"), () -> true);
        Object first = Files.getAttribute(home.resolve("d/config"), "unix:ino");
        homes.publish(home(true), delivery("d/config", "1"), () -> true);
        assertThat(Files.getAttribute(home.resolve("d/config"), "unix:ino")).isEqualTo(first);
        homes.publish(home(true), delivery("d/config", "2"), () -> true);
        assertThat(home.resolve("d/config")).hasContent("2");
        assertThat(Files.getAttribute(home.resolve("d/config"), "unix:ino")).isNotEqualTo(first);
        assertThat(home.resolve("d").toFile().list()).containsExactly("config");
    }

    @Test
    void a_byte_identical_replay_in_a_retained_home_is_admitted_below_any_parent() throws Exception {
        seeded(true);
        Files.writeString(Files.createDirectory(home.resolve("program")).resolve("config"), "same");
        assertThat(homes.publish(home(true), delivery("program/config", "same"), () -> true))
                .isTrue();
        refused(
                () -> homes.publish(home(true), delivery("program/config", "other"), () -> true),
                "that Berth did not generate");
        assertThat(home.resolve("program/config")).hasContent("same");
    }

    @Test
    void configuration_does_not_go_through_a_link() throws Exception {
        seeded(true);
        Path outside = Files.createDirectory(given.resolve("outside"));
        Files.createSymbolicLink(home.resolve("link"), outside);
        refused(() -> homes.publish(home(true), delivery("link/a", "1"), () -> true), "");
        homes.publish(home(true), delivery("d/a", "1"), () -> true);
        Path target = Files.writeString(outside.resolve("target"), "stays");
        Files.delete(home.resolve("d/a"));
        Files.createSymbolicLink(home.resolve("d/a"), target);
        refused(() -> homes.publish(home(true), delivery("d/a", "2"), () -> true), "not Berth's to replace");
        assertThat(target).hasContent("stays");
        assertThat(outside.toFile().list()).containsExactly("target");
    }

    @Test
    void configuration_cannot_overlap_the_login_or_the_seed() throws Exception {
        seeded(true);
        for (String path : List.of(LOGIN_PATH, ".agent", ".agent/config.toml", ".agent.json")) {
            refused(() -> homes.publish(home(true), delivery(path, "x"), () -> true), path + " overlaps");
        }
        assertThat(home.resolve(LOGIN_PATH)).hasContent(CANARY);
    }

    @Test
    void an_attempts_configuration_never_replaces_a_file() throws Exception {
        seeded(false);
        homes.publish(home(false), delivery("a", "1"), () -> true);
        refused(() -> homes.publish(home(false), delivery("a", "1"), () -> true), "did not generate");
    }

    @Test
    void a_rename_without_its_directorys_sync_is_uncertain() throws Exception {
        seeded(true);
        ProviderHomes failing = new ProviderHomes(step -> {
            if (step == SeedStep.RENAMED) {
                throw new IOException("no space");
            }
        });
        assertThatThrownBy(() -> failing.publish(home(true), delivery("a", "1"), () -> true))
                .isInstanceOfSatisfying(
                        ConfigurationUncertainException.class,
                        uncertain -> assertThat(uncertain.path()).isEqualTo("a"));
        assertThat(home.resolve("a")).hasContent("1");
    }

    @Test
    void a_seed_whose_login_is_not_certain_to_last_refuses_reuse() throws Exception {
        ProviderHomes failing = new ProviderHomes(step -> {
            if (step == SeedStep.RENAMED) {
                throw new IOException("no space");
            }
        });
        assertThatThrownBy(() -> failing.seed(seed(home(true), CANARY), () -> true))
                .isInstanceOf(ConfigurationUncertainException.class)
                .hasMessageNotContaining(CANARY);
        refused(() -> seeded(true), "interrupted");
        assertThat(Arrays.asList(home.getParent().toFile().list())).doesNotContain("provider.json");
    }
}
