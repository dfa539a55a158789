package org.berth.credential;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.berth.problem.BerthException;
import org.berth.problem.ProblemCode;
import org.junit.jupiter.api.Test;

class DestinationRulesTest {
    private enum Source {
        POLICY,
        ENVIRONMENT,
        REFERENCES,
        PROJECTION,
        SECOND_PROJECTION,
        HOME,
        TOOLS,
        HOOKS
    }

    private static Destinations of(Map<String, Set<Source>> filled) {
        Map<Source, Set<String>> names = new HashMap<>();
        for (Source source : Source.values()) {
            names.put(source, new LinkedHashSet<>());
        }
        filled.forEach(
                (name, sources) -> sources.forEach(source -> names.get(source).add(name)));
        Map<String, String> projections = new LinkedHashMap<>();
        names.get(Source.PROJECTION).forEach(name -> projections.put("first-" + name, name));
        names.get(Source.SECOND_PROJECTION).forEach(name -> projections.put("second-" + name, name));
        Map<String, String> gateway = new LinkedHashMap<>();
        names.get(Source.TOOLS).forEach(name -> gateway.put("tools", name));
        names.get(Source.HOOKS).forEach(name -> gateway.put("hooks", name));
        names.get(Source.HOME).add("HOME");
        return new Destinations(
                names.get(Source.POLICY),
                names.get(Source.ENVIRONMENT),
                names.get(Source.REFERENCES),
                projections,
                names.get(Source.HOME),
                gateway,
                List.of());
    }

    private static BerthException refusal(Destinations given) {
        try {
            DestinationRules.requireApart(given);
            return null;
        } catch (BerthException e) {
            return e;
        }
    }

    @Provide
    Arbitrary<Source> source() {
        return Arbitraries.of(Source.class);
    }

    @Property
    void every_pair_of_sources_that_share_a_destination_is_refused(
            @ForAll("source") Source one, @ForAll("source") Source other) {
        BerthException refusal = refusal(of(Map.of(
                "SHARED", Set.copyOf(List.of(one, other).stream().distinct().toList()))));
        if (one == other) {
            assertThat(refusal).isNull();
        } else {
            assertThat(refusal).isNotNull();
            assertThat(refusal.code()).isEqualTo(ProblemCode.CONFLICT);
            assertThat(refusal).hasMessageContaining("SHARED");
        }
    }

    @Property
    void sources_with_destinations_of_their_own_are_admitted(
            @ForAll("source") Source one, @ForAll("source") Source other) {
        assertThat(refusal(of(Map.of("ONE", Set.of(one), "OTHER", Set.of(other == one ? Source.POLICY : other)))))
                .isNull();
    }

    @Property
    void home_and_path_are_the_hosts_whoever_names_them(@ForAll("source") Source source, @ForAll boolean path) {
        BerthException refusal = refusal(of(Map.of(path ? "PATH" : "HOME", Set.of(source))));
        if (source == Source.HOME && !path) {
            assertThat(refusal).isNull();
        } else {
            assertThat(refusal.code()).isEqualTo(ProblemCode.CONFLICT);
        }
    }

    @Property
    void berths_own_names_are_the_gateways_alone_and_the_marker_nobodys(@ForAll("source") Source source) {
        boolean gateway = source == Source.TOOLS || source == Source.HOOKS;
        if (source != Source.HOME) {
            assertThat(refusal(of(Map.of("BERTH_TOOLS", Set.of(source)))) == null)
                    .isEqualTo(gateway);
            assertThat(refusal(of(Map.of("BERTH_ATTEMPT_KEY", Set.of(source))))).isNotNull();
        }
    }

    @Test
    void two_login_files_have_one_destination() {
        Destinations given =
                new Destinations(Set.of(), Set.of(), Set.of(), Map.of(), Set.of("HOME"), Map.of(), List.of("a", "b"));
        assertThatThrownBy(() -> DestinationRules.requireApart(given))
                .isInstanceOf(BerthException.class)
                .hasMessageContaining("projections a and b");
    }

    @Test
    void a_request_must_not_set_a_gateways_variable_or_a_provider_home_by_value_or_reference() {
        var policy = Launches.gateway("tools", "hooks", "tools", "hooks");
        var host = Launches.host(
                policy, Map.of("tools", Launches.variable("TOOLS_TOKEN"), "hooks", Launches.variable("HOOKS_TOKEN")));
        for (String name : List.of("TOOLS_TOKEN", "HOOKS_TOKEN", "AGENT_HOME")) {
            for (String field : List.of("environment", "environment_refs")) {
                var request = Launches.request(
                        Map.of("projections", List.of("tools", "hooks"), field, Map.of(name, "canary-4711")));
                assertThatThrownBy(() ->
                                DestinationRules.requireApart(Destinations.of(host, policy, request, Launches.DRIVER)))
                        .isInstanceOf(BerthException.class)
                        .hasMessageContaining(name)
                        .hasMessageContaining(field)
                        .hasMessageNotContaining("canary-4711");
            }
        }
        assertThatCode(() -> DestinationRules.requireApart(Destinations.of(
                        host,
                        policy,
                        Launches.request(Map.of("projections", List.of("tools", "hooks"))),
                        Launches.DRIVER)))
                .doesNotThrowAnyException();
    }

    @Test
    void a_gateways_variables_are_taken_also_where_its_tokens_are_not_projected() {
        var policy = Launches.gateway("tools", null, "tools");
        var host = Launches.host(policy, Map.of("tools", Launches.variable("TOOLS_TOKEN")));
        var request = Launches.request(Map.of("environment", Map.of("TOOLS_TOKEN", "x")));
        assertThatThrownBy(() -> DestinationRules.requireApart(Destinations.of(host, policy, request, null)))
                .hasMessageContaining("TOOLS_TOKEN");
    }

    @Test
    void the_gateways_tools_and_hooks_must_not_share_a_destination() {
        var policy = Launches.gateway("tools", "hooks", "tools", "hooks");
        var host =
                Launches.host(policy, Map.of("tools", Launches.variable("TOKEN"), "hooks", Launches.variable("TOKEN")));
        var request = Launches.request(Map.of("projections", List.of("tools", "hooks")));
        assertThatThrownBy(() -> DestinationRules.requireApart(Destinations.of(host, policy, request, Launches.DRIVER)))
                .hasMessageContaining("the gateway's tools and by the gateway's hooks");
    }

    @Test
    void a_projection_must_not_overwrite_a_policys_value_or_another_projection() {
        var policy = Launches.policy(Map.of("KEY", "canary-4711"), "a", "b");
        var host = Launches.host(policy, Map.of("a", Launches.variable("KEY"), "b", Launches.variable("KEY")));
        var both = Launches.request(Map.of("projections", List.of("a")));
        assertThatThrownBy(() -> DestinationRules.requireApart(Destinations.of(host, policy, both, null)))
                .hasMessageContaining("KEY")
                .hasMessageContaining("projection a")
                .hasMessageNotContaining("canary-4711");
        var plain = Launches.policy(Map.of(), "a", "b");
        var two = Launches.request(Map.of("projections", List.of("a", "b")));
        assertThatThrownBy(() -> DestinationRules.requireApart(Destinations.of(host, plain, two, null)))
                .hasMessageContaining("projection a and by projection b");
    }
}
