package org.berth.environment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.berth.environment.Environments.body;

import java.util.List;
import java.util.Map;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.berth.problem.BerthException;
import org.berth.problem.ProblemCode;
import org.junit.jupiter.api.Test;

class EnvironmentConfigDecoderTest {
    @Test
    void a_config_is_the_same_after_its_tree() {
        EnvironmentConfig config = EnvironmentConfigDecoder.decode(with("artifactRoot", "/srv/a/../artifacts/"));
        assertThat(config.artifactRoot()).isEqualTo("/srv/artifacts");
        assertThat(EnvironmentTrees.configOf(EnvironmentTrees.config(config))).isEqualTo(config);
    }

    @Property
    void members_that_nobody_knows_are_ignored(@ForAll String name, @ForAll int value) {
        Map<String, Object> body = body();
        body.putIfAbsent(name.isEmpty() ? "x" : name, value);
        assertThat(EnvironmentConfigDecoder.decode(body).bindingId()).isEqualTo("binding-1");
    }

    @Test
    void an_origin_is_kept_without_its_usual_port_and_in_lower_case() {
        assertThat(decoded("guestBaseUrl", "HTTP://Host.Test:80/").guestBaseUrl())
                .isEqualTo("http://host.test");
        assertThat(decoded("guestBaseUrl", "https://host.test:443").guestBaseUrl())
                .isEqualTo("https://host.test");
        assertThat(decoded("guestBaseUrl", "http://[::1]:7782").guestBaseUrl()).isEqualTo("http://[::1]:7782");
    }

    @Test
    void an_address_that_is_no_plain_origin_is_refused() {
        for (String url : List.of(
                "",
                "host.test",
                "ftp://host.test",
                "http://u@host.test",
                "http://u:p@host.test",
                "http://host.test/api",
                "http://host.test?a=b",
                "http://host.test#x",
                "http://host.test:99999")) {
            refused(with("guestBaseUrl", url), ProblemCode.INVALID_ENVIRONMENT_REQUEST);
        }
    }

    @Test
    void what_is_wrong_is_found_in_the_order_of_the_fields() {
        Map<String, Object> body = body();
        body.put("guestRoot", "/elsewhere");
        body.put("placement", "none");
        refused(body, ProblemCode.INVALID_ENVIRONMENT_PATH);
        body.put("seat", "worker");
        refused(body, ProblemCode.INVALID_ENVIRONMENT_REQUEST);
        refused(with("placement", "none"), ProblemCode.INVALID_ENVIRONMENT_REQUEST);
        refused(with("version", 2L), ProblemCode.INVALID_ENVIRONMENT_REQUEST);
        refused(with("baseRuntime", "codex"), ProblemCode.INVALID_ENVIRONMENT_REQUEST);
        refused(with("bindingId", 7L), ProblemCode.INVALID_ENVIRONMENT_REQUEST);
        refused(with("seat", "w@" + "t".repeat(400)), ProblemCode.INVALID_ENVIRONMENT_REQUEST);
    }

    @Test
    void a_placement_needs_its_name_its_pinned_image_and_plain_references() {
        for (Map.Entry<String, Object> each : Map.<String, Object>of(
                        "name", "Worker",
                        "image", "image:latest",
                        "gateway", "a b",
                        "workspace", "",
                        "provider", "p\u00a0q")
                .entrySet()) {
            Map<String, Object> body = body();
            Map<String, Object> placement = EnvironmentTrees.object(body.get("placement"));
            placement.put(each.getKey(), each.getValue());
            body.put("placement", placement);
            refused(body, ProblemCode.INVALID_ENVIRONMENT_REQUEST);
        }
    }

    @Test
    void references_of_another_type_select_nothing_as_in_the_reference() {
        assertThat(decoded("coordinationRef", 7L).coordinationRef()).isNull();
        assertThat(decoded("artifactRoot", "relative").artifactRoot()).isNull();
        assertThat(decoded("nodeId", "").nodeId()).isNull();
    }

    private static EnvironmentConfig decoded(String name, Object value) {
        return EnvironmentConfigDecoder.decode(with(name, value));
    }

    private static Map<String, Object> with(String name, Object value) {
        Map<String, Object> body = body();
        body.put(name, value);
        return body;
    }

    private static void refused(Map<String, Object> body, ProblemCode code) {
        assertThatThrownBy(() -> EnvironmentConfigDecoder.decode(body))
                .isInstanceOfSatisfying(
                        BerthException.class,
                        refusal -> assertThat(refusal.code()).isEqualTo(code));
    }
}
