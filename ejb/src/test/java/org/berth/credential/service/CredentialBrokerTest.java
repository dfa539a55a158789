package org.berth.credential.service;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.berth.credential.service.Launches.CANARY;
import static org.berth.credential.service.Launches.LOGIN_PATH;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.berth.driver.DriverDefinition;
import org.berth.host.HostPolicy;
import org.berth.host.HostPolicy.Credential;
import org.berth.host.SecretSource;
import org.berth.host.service.SecretReader;
import org.berth.placement.PrepareRequest;
import org.berth.problem.BerthException;
import org.berth.problem.ProblemCode;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CredentialBrokerTest {
    private static final SecretSource HOME_FILE = new SecretSource.FromFile("~/" + LOGIN_PATH);
    private static final SecretSource VARIABLE = new SecretSource.FromEnvironment("SOURCE");

    @TempDir
    private Path given;

    private final Map<String, String> variables = new HashMap<>();
    private Path operator;
    private CredentialBroker broker;

    @BeforeEach
    void aHost() throws IOException {
        operator = Files.createDirectory(given.toRealPath().resolve("operator"));
        broker = new CredentialBroker(new SecretReader(operator, variables::get));
    }

    private interface Call {
        void run() throws Exception;
    }

    private static void refused(Call call, ProblemCode code, String sentence) {
        assertThatThrownBy(call::run)
                .isInstanceOfSatisfying(
                        BerthException.class,
                        refusal -> assertThat(refusal.code()).isEqualTo(code))
                .hasMessageContaining(sentence)
                .hasMessageNotContaining(CANARY)
                .hasMessageNotContaining("operator");
    }

    private static HostPolicy login(SecretSource source, boolean optional) {
        return Launches.host(Map.of("login", Launches.login(source, optional)));
    }

    private static HostPolicy key(SecretSource source, boolean optional) {
        return Launches.host(Map.of("key", Launches.variable(source, optional)));
    }

    private static final PrepareRequest LOGIN = Launches.request("login");
    private static final PrepareRequest KEY = Launches.request("key");

    @Test
    void the_rules_of_projections_and_destinations_admit_a_launch() {
        HostPolicy host = key(VARIABLE, false);
        assertThatCode(() -> broker.admit(host, host.policy("p"), KEY, Launches.driver()))
                .doesNotThrowAnyException();
        refused(
                () -> broker.admit(host, host.policy("p"), Launches.request(), Launches.driver()),
                ProblemCode.INVALID,
                "key");
        HostPolicy taken = Launches.host(Map.of(
                "key", new Credential(HostPolicy.CredentialKind.ENVIRONMENT, "AGENT_HOME", null, VARIABLE, false)));
        refused(
                () -> broker.admit(taken, taken.policy("p"), KEY, Launches.driver()),
                ProblemCode.CONFLICT,
                "AGENT_HOME");
    }

    @Test
    void a_login_is_the_bytes_of_its_source() throws IOException {
        byte[] bytes = {0, (byte) 0xff, 1};
        Files.write(Launches.secret(operator.resolve(LOGIN_PATH), ""), bytes);
        assertThat(broker.login(login(HOME_FILE, false), LOGIN).orElseThrow().copy())
                .isEqualTo(bytes);
        assertThat(broker.login(key(VARIABLE, false), KEY)).isEmpty();
        Path elsewhere = Launches.secret(given.toRealPath().resolve("elsewhere/login"), CANARY);
        HostPolicy absolute = login(new SecretSource.FromFile(elsewhere.toString()), false);
        assertThat(broker.login(absolute, LOGIN).orElseThrow().copy()).isEqualTo(CANARY.getBytes(UTF_8));
        variables.put("SOURCE", CANARY);
        assertThat(broker.login(login(VARIABLE, false), LOGIN).orElseThrow().copy())
                .isEqualTo(CANARY.getBytes(UTF_8));
    }

    @Test
    void an_optional_absent_login_is_left_out_and_a_required_one_refuses() {
        assertThat(broker.login(login(HOME_FILE, true), LOGIN)).isEmpty();
        refused(
                () -> broker.login(login(HOME_FILE, false), LOGIN),
                ProblemCode.DENIED,
                "projection login has a source");
    }

    @Test
    void empty_provided_login_bytes_are_an_error_also_where_the_login_is_optional() throws IOException {
        Launches.secret(operator.resolve(LOGIN_PATH), "");
        refused(() -> broker.login(login(HOME_FILE, true), LOGIN), ProblemCode.DENIED, "is empty");
    }

    @Test
    void login_bytes_are_bounded_to_one_mebibyte() throws IOException {
        Path file = Launches.secret(operator.resolve(LOGIN_PATH), "");
        Files.write(file, new byte[1 << 20]);
        assertThat(broker.login(login(HOME_FILE, false), LOGIN).orElseThrow().length())
                .isEqualTo(1 << 20);
        Files.write(file, new byte[(1 << 20) + 1]);
        refused(() -> broker.login(login(HOME_FILE, true), LOGIN), ProblemCode.DENIED, "larger than 1048576 bytes");
    }

    @Test
    void a_login_that_others_may_read_is_refused() throws IOException {
        Path file = Launches.secret(operator.resolve(LOGIN_PATH), CANARY);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r-----"));
        refused(() -> broker.login(login(HOME_FILE, true), LOGIN), ProblemCode.DENIED, "not private");
        refused(() -> broker.recheck(login(HOME_FILE, true), LOGIN), ProblemCode.DENIED, "not private");
    }

    @Test
    void a_link_in_any_component_below_the_home_is_refused() throws IOException {
        Path real = Launches.secret(given.toRealPath().resolve("real/auth.json"), CANARY);
        Files.createSymbolicLink(operator.resolve(".agent"), real.getParent());
        refused(() -> broker.login(login(HOME_FILE, true), LOGIN), ProblemCode.DENIED, "through a link");
        refused(() -> broker.recheck(login(HOME_FILE, true), LOGIN), ProblemCode.DENIED, "through a link");
        Files.delete(operator.resolve(".agent"));
        Files.createDirectory(operator.resolve(".agent"));
        Files.createSymbolicLink(operator.resolve(LOGIN_PATH), real);
        refused(() -> broker.login(login(HOME_FILE, true), LOGIN), ProblemCode.DENIED, "through a link");
        refused(() -> broker.recheck(login(HOME_FILE, true), LOGIN), ProblemCode.DENIED, "no regular file");
        // The same by its absolute path: what lies below the home is walked from the home.
        SecretSource absolute =
                new SecretSource.FromFile(operator.resolve(LOGIN_PATH).toString());
        refused(() -> broker.login(login(absolute, true), LOGIN), ProblemCode.DENIED, "through a link");
    }

    @Test
    void an_absent_optional_variable_is_omitted_and_never_empty() {
        assertThat(broker.environment(key(VARIABLE, true), KEY)).isEmpty();
        variables.put("SOURCE", "");
        assertThat(broker.environment(key(VARIABLE, true), KEY)).isEmpty();
        variables.put("SOURCE", CANARY);
        assertThat(broker.environment(key(VARIABLE, true), KEY)).isEqualTo(Map.of("API_KEY", CANARY));
    }

    @Test
    void an_absent_required_variable_refuses() {
        refused(() -> broker.environment(key(VARIABLE, false), KEY), ProblemCode.DENIED, "projection key");
    }

    @Test
    void a_populated_variable_must_be_utf_8_text_without_nul() throws IOException {
        SecretSource file = new SecretSource.FromFile("~/key");
        Path source = Launches.secret(operator.resolve("key"), CANARY + "\n");
        assertThat(broker.environment(key(file, false), KEY)).isEqualTo(Map.of("API_KEY", CANARY));
        Files.write(source, new byte[] {'a', (byte) 0xff});
        refused(() -> broker.environment(key(file, true), KEY), ProblemCode.DENIED, "not UTF-8");
        Files.writeString(source, CANARY + "\0");
        refused(() -> broker.environment(key(file, true), KEY), ProblemCode.DENIED, "NUL");
        Files.writeString(source, "\n");
        refused(() -> broker.environment(key(file, true), KEY), ProblemCode.DENIED, "is empty");
        Files.writeString(source, CANARY.repeat(2000));
        refused(() -> broker.environment(key(file, true), KEY), ProblemCode.DENIED, "larger than 16384");
    }

    @Test
    void a_projection_that_the_policy_no_longer_admits_is_refused_at_a_recheck() {
        variables.put("SOURCE", CANARY);
        Map<String, Credential> credentials = Map.of("key", Launches.variable(VARIABLE, false));
        assertThatCode(() -> broker.recheck(Launches.host(credentials), KEY)).doesNotThrowAnyException();
        refused(
                () -> broker.recheck(Launches.host(credentials, Set.of(), false), KEY),
                ProblemCode.DENIED,
                "projection key is no longer admitted");
        refused(
                () -> broker.recheck(Launches.host(Map.of(), Set.of("key"), false), KEY),
                ProblemCode.DENIED,
                "projection key is no longer admitted");
        refused(() -> broker.recheck(HostPolicy.DEFAULT, KEY), ProblemCode.DENIED, "projection key");
        assertThatCode(() -> broker.recheck(HostPolicy.DEFAULT, Launches.request()))
                .doesNotThrowAnyException();
    }

    @Test
    void a_required_source_that_is_gone_is_refused_at_a_recheck_and_an_optional_one_is_not() throws IOException {
        refused(() -> broker.recheck(login(HOME_FILE, false), LOGIN), ProblemCode.DENIED, "not there now");
        assertThatCode(() -> broker.recheck(login(HOME_FILE, true), LOGIN)).doesNotThrowAnyException();
        Launches.secret(operator.resolve(LOGIN_PATH), CANARY);
        assertThatCode(() -> broker.recheck(login(HOME_FILE, false), LOGIN)).doesNotThrowAnyException();
    }

    private List<String> notices(HostPolicy host, PrepareRequest request, Path retained) {
        return broker.notices(host, host.policy("p"), request, Launches.driver(), retained);
    }

    @Test
    void an_absent_login_is_noticed() {
        assertThat(notices(login(HOME_FILE, true), LOGIN, null)).containsExactly("LOGIN_REQUIRED");
        HostPolicy host = login(HOME_FILE, true);
        assertThat(broker.notices(host, host.policy("p"), LOGIN, null, null)).isEmpty();
    }

    @Test
    void a_login_about_to_be_copied_produces_no_false_warning() throws IOException {
        Launches.secret(operator.resolve(LOGIN_PATH), CANARY);
        assertThat(notices(login(HOME_FILE, true), LOGIN, null)).isEmpty();
        // It lies in the operator's home, and nothing brings it into the private one.
        assertThat(notices(Launches.host(Map.of()), Launches.request(), null)).containsExactly("LOGIN_REQUIRED");
    }

    @Test
    void a_window_in_the_hosts_home_looks_at_that_home() throws IOException {
        PrepareRequest window = Launches.inHome(null, "machine_home");
        HostPolicy host = Launches.host(Map.of());
        assertThat(notices(host, window, null)).containsExactly("LOGIN_REQUIRED");
        Launches.secret(operator.resolve(LOGIN_PATH), CANARY);
        assertThat(notices(host, window, null)).isEmpty();
    }

    @Test
    void a_retained_home_is_looked_at_itself() throws IOException {
        PrepareRequest turn = Launches.inHome("s", "sessions");
        Path retained = given.toRealPath().resolve("retained");
        HostPolicy host = Launches.host(Map.of());
        assertThat(notices(host, turn, retained)).containsExactly("LOGIN_REQUIRED");
        Launches.secret(operator.resolve(LOGIN_PATH), CANARY);
        assertThat(notices(host, turn, retained)).containsExactly("LOGIN_REQUIRED");
        Launches.secret(retained.resolve(LOGIN_PATH), CANARY);
        assertThat(notices(host, turn, retained)).isEmpty();
    }

    @Test
    void a_key_by_a_variable_needs_no_login() {
        variables.put("SOURCE", CANARY);
        assertThat(notices(key(VARIABLE, true), KEY, null)).isEmpty();
        variables.clear();
        assertThat(notices(key(VARIABLE, true), KEY, null)).containsExactly("LOGIN_REQUIRED");
    }

    private ProviderHome home(DriverDefinition definition) {
        return new ProviderHome(given.resolve("k"), false, definition);
    }

    private Seed seed(HostPolicy host, PrepareRequest request) {
        return broker.seed(
                host, request, Launches.driver(), home(Launches.driver().definition()), Path.of("/work"));
    }

    @Test
    void a_seed_holds_the_login_and_the_declared_setup_and_nothing_else() throws IOException {
        Launches.secret(operator.resolve(LOGIN_PATH), CANARY);
        Launches.secret(operator.resolve(".agent/prompt.md"), "be kind");
        Launches.secret(operator.resolve(".agent/history.jsonl"), "unrelated");
        Seed seed = seed(login(HOME_FILE, false), LOGIN);
        assertThat(seed.projection()).isEqualTo("login");
        assertThat(seed.login().copy()).isEqualTo(CANARY.getBytes(UTF_8));
        assertThat(seed.setup()).containsOnlyKeys(".agent/config.toml", ".agent/prompt.md");
        assertThat(seed.setup().get(".agent/config.toml").isEmpty()).isTrue();
        assertThat(seed.setup().get(".agent/prompt.md").text()).contains("be kind");
        assertThat(seed.initialisers()).isEqualTo(Launches.INITIALISERS);
        assertThat(seed.toString()).doesNotContain(CANARY).doesNotContain("be kind");
    }

    @Test
    void a_launch_without_a_login_projection_reads_nothing_of_the_operators_home() throws IOException {
        Launches.secret(operator.resolve(LOGIN_PATH), CANARY);
        Launches.secret(operator.resolve(".agent/config.toml"), "x");
        Seed seed = seed(Launches.host(Map.of()), Launches.request());
        assertThat(seed.login()).isNull();
        assertThat(seed.projection()).isNull();
        assertThat(seed.setup()).containsOnlyKeys(".agent/config.toml");
        assertThat(seed.setup().get(".agent/config.toml").isEmpty()).isTrue();
        assertThat(seed.initialisers()).isEmpty();
    }

    @Test
    void references_in_setup_files_lead_into_the_private_home() throws IOException {
        Launches.secret(operator.resolve(LOGIN_PATH), CANARY);
        Path config = Launches.secret(operator.resolve(".agent/config.toml"), "key = {file:~/" + LOGIN_PATH + "}");
        assertThat(seed(login(HOME_FILE, true), LOGIN)
                        .setup()
                        .get(".agent/config.toml")
                        .text())
                .contains("key = {file:" + given.resolve("k/home").resolve(LOGIN_PATH) + "}");
        Files.writeString(config, "key = {file:~/.agent/prompt.md}");
        refused(() -> seed(login(HOME_FILE, true), LOGIN), ProblemCode.DENIED, "names an absent file");
        Files.writeString(config, "key = {file:~/.ssh/" + CANARY + "}");
        refused(() -> seed(login(HOME_FILE, true), LOGIN), ProblemCode.DENIED, "does not declare");
        Files.delete(operator.resolve(LOGIN_PATH));
        Files.writeString(config, "key = {file:~/" + LOGIN_PATH + "}");
        refused(() -> seed(login(HOME_FILE, true), LOGIN), ProblemCode.DENIED, "names an absent file");
    }

    @Test
    void a_setup_file_behind_a_link_is_refused() throws IOException {
        Launches.secret(operator.resolve(LOGIN_PATH), CANARY);
        Files.createSymbolicLink(operator.resolve(".agent/prompt.md"), operator.resolve(LOGIN_PATH));
        refused(() -> seed(login(HOME_FILE, true), LOGIN), ProblemCode.DENIED, "setup file .agent/prompt.md");
    }
}
