package org.berth.credential;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import org.assertj.core.api.AbstractThrowableAssert;
import org.assertj.core.api.Assertions;
import org.berth.driver.DriverDefinition;
import org.berth.host.HostPolicy;
import org.berth.placement.PrepareRequest;
import org.berth.problem.BerthException;
import org.berth.problem.ProblemCode;
import org.junit.jupiter.api.Test;

class ProjectionRulesTest {
    private static final HostPolicy.Policy POLICY = Launches.policy(Map.of(), "key", "login");
    private static final HostPolicy HOST = Launches.host(
            POLICY,
            Map.of("key", Launches.variable("API_KEY"), "login", Launches.login(), "other", Launches.variable("X")));

    private static AbstractThrowableAssert<?, ? extends Throwable> refused(
            HostPolicy.Policy policy, PrepareRequest request, DriverDefinition driver, ProblemCode code) {
        return assertThatThrownBy(() -> ProjectionRules.require(HOST, policy, request, driver))
                .isInstanceOfSatisfying(
                        BerthException.class,
                        refusal -> Assertions.assertThat(refusal.code()).isEqualTo(code));
    }

    private static PrepareRequest naming(String... projections) {
        return Launches.request(Map.of("projections", List.of(projections)));
    }

    @Test
    void a_launch_that_names_all_of_its_policys_credentials_is_admitted() {
        assertThatCode(() -> ProjectionRules.require(HOST, POLICY, naming("login", "key"), Launches.DRIVER))
                .doesNotThrowAnyException();
    }

    @Test
    void a_projection_must_be_one_of_the_policys_credentials() {
        refused(POLICY, naming("key", "other"), Launches.DRIVER, ProblemCode.DENIED)
                .hasMessageContaining("projections[1]");
        refused(POLICY, naming("none"), null, ProblemCode.DENIED).hasMessageContaining("projections[0]");
    }

    @Test
    void a_launch_under_an_agents_driver_names_all_of_them() {
        refused(POLICY, naming("key"), Launches.DRIVER, ProblemCode.INVALID).hasMessageContaining("login");
        HostPolicy.Policy keys = Launches.policy(Map.of(), "key", "other");
        assertThatCode(() -> ProjectionRules.require(HOST, keys, naming("key"), null))
                .doesNotThrowAnyException();
    }

    @Test
    void a_login_file_needs_a_driver_with_a_place_for_it() {
        refused(POLICY, naming("login"), null, ProblemCode.INVALID).hasMessageContaining("projections[0]");
        refused(POLICY, naming("key", "login"), Launches.driver(null), ProblemCode.INVALID)
                .hasMessageContaining("projections[1]");
    }

    @Test
    void a_login_file_needs_an_attempts_own_home_or_a_retained_sessions() {
        Map<String, Object> home = Map.of("home_ref", "home");
        for (String root : List.of("machine_home", "elsewhere")) {
            Map<String, Object> resource = Map.of(
                    "name", "home",
                    "grant_ref", "g",
                    "root_ref", root,
                    "access", "write",
                    "purpose", "session");
            Map<String, Object> changes =
                    Map.of("projections", List.of("key", "login"), "resources", List.of(resource));
            refused(POLICY, Launches.request(changes, home), Launches.DRIVER, ProblemCode.INVALID)
                    .hasMessageContaining("private home");
        }
        Map<String, Object> session = Map.of(
                "projections",
                List.of("key", "login"),
                "session_ref",
                "s",
                "resources",
                List.of(Map.of(
                        "name", "home",
                        "grant_ref", "g",
                        "root_ref", "elsewhere",
                        "access", "write",
                        "purpose", "session")));
        assertThatCode(() -> ProjectionRules.require(HOST, POLICY, Launches.request(session, home), Launches.DRIVER))
                .doesNotThrowAnyException();
    }

    @Test
    void the_launchs_environment_is_supplied_by_a_map_or_a_projection() {
        Map<String, Object> given = Map.of(
                "projections", List.of("key", "login"),
                "environment", Map.of("A", "1"),
                "environment_refs", Map.of("B", "r"));
        assertThatCode(() -> ProjectionRules.require(
                        HOST,
                        POLICY,
                        Launches.request(given, Map.of("environment", List.of("A", "B", "API_KEY"))),
                        Launches.DRIVER))
                .doesNotThrowAnyException();
        refused(
                        POLICY,
                        Launches.request(given, Map.of("environment", List.of("A", "X"))),
                        Launches.DRIVER,
                        ProblemCode.INVALID)
                .hasMessageContaining("launch.environment[1] names X");
    }
}
