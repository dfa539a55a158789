package org.berth.credential.service;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.berth.credential.service.Launches.CANARY;
import static org.berth.credential.service.Launches.LOGIN_PATH;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.berth.host.HostPolicy;
import org.berth.host.HostPolicy.Credential;
import org.berth.host.SecretBytes;
import org.berth.host.SecretSource;
import org.berth.host.service.SecretReader;
import org.berth.placement.EvidenceKind;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LoginWritebackTest {
    private static final String REFRESHED = "refreshed " + CANARY;

    @TempDir
    private Path given;

    private Path source;
    private ProviderHome home;
    private Path login;
    private LoginWriteback writeback;

    @BeforeEach
    void aSeededHome() throws Exception {
        Path operator = Files.createDirectory(given.toRealPath().resolve("operator"));
        writeback = new LoginWriteback(new SecretReader(operator, name -> null));
        source = Launches.secret(operator.resolve(LOGIN_PATH), CANARY);
        home = new ProviderHome(given.toRealPath().resolve("k"), true, Launches.definition("agent", "1"));
        Files.createDirectories(home.home());
        new ProviderHomes()
                .seed(
                        new Seed(home, "login", false, new SecretBytes(CANARY.getBytes(UTF_8)), Map.of(), List.of()),
                        () -> true);
        login = home.home().resolve(LOGIN_PATH);
    }

    private static HostPolicy host(boolean on) {
        Map<String, Credential> credentials =
                Map.of("login", Launches.login(new SecretSource.FromFile("~/" + LOGIN_PATH), false));
        return Launches.host(credentials, Set.of("login"), on);
    }

    private LoginOutcome write() {
        LoginOutcome outcome =
                writeback.writeBack(host(true), Launches.request("login"), home).orElseThrow();
        assertThat(outcome.toString()).doesNotContain(CANARY);
        assertThat(outcome.detail().toString()).doesNotContain(CANARY);
        return outcome;
    }

    private void kept(String reason) {
        LoginOutcome outcome = write();
        assertThat(outcome.kind()).isEqualTo(EvidenceKind.LOGIN_KEPT);
        assertThat(outcome.reason()).contains(reason);
    }

    @Test
    void a_refreshed_login_replaces_its_unchanged_source_private_and_whole() throws IOException {
        Files.writeString(login, REFRESHED);
        LoginOutcome outcome = write();
        assertThat(outcome.kind()).isEqualTo(EvidenceKind.LOGIN_WRITTEN_BACK);
        assertThat(outcome.detail()).isEqualTo(Map.of("projection", "login"));
        assertThat(source).hasContent(REFRESHED);
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(source)))
                .isEqualTo("rw-------");
        assertThat(source.getParent().toFile().list()).containsExactly("auth.json");
        kept("is unchanged");
    }

    @Test
    void each_turn_of_a_session_may_write_its_refresh_back() throws IOException {
        Files.writeString(login, REFRESHED);
        write();
        Files.writeString(login, REFRESHED + " again");
        assertThat(write().written()).isTrue();
        assertThat(source).hasContent(REFRESHED + " again");
    }

    @Test
    void nothing_happens_where_the_host_does_not_write_back_or_nothing_is_projected() throws IOException {
        Files.writeString(login, REFRESHED);
        assertThat(writeback.writeBack(host(false), Launches.request("login"), home))
                .isEmpty();
        assertThat(writeback.writeBack(host(true), Launches.request(), home)).isEmpty();
        assertThat(source).hasContent(CANARY);
    }

    @Test
    void a_source_that_changed_meanwhile_is_kept() throws IOException {
        Files.writeString(login, REFRESHED);
        Files.writeString(source, "the operator's own refresh");
        kept("changed meanwhile");
        assertThat(source).hasContent("the operator's own refresh");
    }

    @Test
    void a_crash_between_the_replacement_and_its_record_is_repaired_by_the_next_call() throws IOException {
        Files.writeString(login, REFRESHED);
        Files.writeString(source, REFRESHED);
        kept("holds it already");
        Files.writeString(login, REFRESHED + " again");
        assertThat(write().written()).isTrue();
    }

    @Test
    void a_home_login_that_is_gone_empty_too_large_or_no_regular_file_is_kept() throws IOException {
        Files.delete(login);
        kept("is gone");
        Files.writeString(login, "");
        kept("is empty");
        Files.write(login, new byte[(1 << 20) + 1]);
        kept("is larger than");
        Files.delete(login);
        Files.createDirectory(login);
        kept("is no regular file");
        assertThat(source).hasContent(CANARY);
    }

    @Test
    void a_link_in_any_component_of_the_home_is_not_followed() throws IOException {
        Path outside = Launches.secret(given.toRealPath().resolve("outside/auth.json"), REFRESHED);
        Files.delete(login);
        Files.createSymbolicLink(login, outside);
        kept("through a link");
        Files.delete(login);
        Files.delete(login.getParent());
        Files.createSymbolicLink(login.getParent(), outside.getParent());
        kept("through a link");
        assertThat(source).hasContent(CANARY);
    }

    @Test
    void a_source_that_became_a_link_or_is_gone_is_kept() throws IOException {
        Files.writeString(login, REFRESHED);
        Path target = Launches.secret(given.toRealPath().resolve("target"), CANARY);
        Files.delete(source);
        kept("is gone");
        Files.createSymbolicLink(source, target);
        kept("through a link");
        assertThat(target).hasContent(CANARY);
        Files.delete(source);
        Files.delete(source.getParent());
        Files.createSymbolicLink(source.getParent(), target.getParent());
        kept("could not be replaced");
    }

    @Test
    void a_home_that_was_given_no_login_returns_none() throws Exception {
        ProviderHome bare =
                new ProviderHome(given.toRealPath().resolve("bare"), true, Launches.definition("agent", "1"));
        Files.createDirectories(bare.home());
        new ProviderHomes().seed(new Seed(bare, "login", true, null, Map.of(), List.of()), () -> true);
        Launches.secret(bare.home().resolve(LOGIN_PATH), REFRESHED);
        assertThat(writeback
                        .writeBack(host(true), Launches.request("login"), bare)
                        .orElseThrow()
                        .reason())
                .isEqualTo("the home was given no login");
        assertThat(source).hasContent(CANARY);
    }

    @Test
    void a_source_that_is_no_file_and_a_revoked_projection_are_kept() throws IOException {
        Files.writeString(login, REFRESHED);
        Map<String, Credential> variable =
                Map.of("login", Launches.login(new SecretSource.FromEnvironment("X"), false));
        assertThat(writeback
                        .writeBack(Launches.host(variable, Set.of("login"), true), Launches.request("login"), home)
                        .orElseThrow()
                        .reason())
                .contains("is no file");
        Map<String, Credential> file =
                Map.of("login", Launches.login(new SecretSource.FromFile("~/" + LOGIN_PATH), false));
        assertThat(writeback
                        .writeBack(Launches.host(file, Set.of(), true), Launches.request("login"), home)
                        .orElseThrow()
                        .reason())
                .contains("no longer admits");
        assertThat(source).hasContent(CANARY);
    }

    @Test
    void the_marker_holds_a_digest_and_no_byte_of_the_login() throws IOException {
        Files.writeString(login, REFRESHED);
        write();
        try (Stream<Path> beside = Files.list(home.directory())) {
            for (Path file : beside.filter(Files::isRegularFile).toList()) {
                assertThat(file).content().doesNotContain(CANARY);
            }
        }
    }
}
