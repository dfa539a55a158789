package org.berth.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import org.berth.placement.CanonicalJson;
import org.berth.problem.BerthException;
import org.berth.problem.ProblemCode;
import org.junit.jupiter.api.Test;

class HostPolicyTest {
    private static HostPolicy with(HostPolicy.Policy policy, Map<String, HostPolicy.Credential> credentials) {
        HostPolicy base = HostPolicy.DEFAULT;
        return new HostPolicy(
                base.placement(),
                base.resourceMode(),
                base.admittedRoots(),
                base.path(),
                base.workdirPreparers(),
                base.sweep(),
                Map.of("p", policy),
                credentials,
                Map.of("token", new SecretSource.FromCredentialStore("berth", "token")),
                base.output(),
                base.logRetention(),
                base.evidenceRetention(),
                base.providerLoginWriteback(),
                base.environments(),
                base.retention(),
                base.kernelTransports());
    }

    private static HostPolicy.Policy policy(String model, String base) {
        return new HostPolicy.Policy("claude", "batch", model, Map.of("BASE", base), List.of("key"), false);
    }

    private static Map<String, HostPolicy.Credential> key(String variable) {
        return Map.of(
                "key",
                new HostPolicy.Credential(
                        HostPolicy.CredentialKind.ENVIRONMENT,
                        "API_KEY",
                        null,
                        new SecretSource.FromEnvironment(variable),
                        true));
    }

    @Test
    void the_default_is_a_command_policy_in_mode_granted() {
        assertThat(HostPolicy.DEFAULT.resourceMode()).isEqualTo(HostPolicy.ResourceMode.GRANTED);
        assertThat(HostPolicy.DEFAULT.policy("default").driver()).isEqualTo("command");
        assertThat(HostPolicy.DEFAULT.admittedRoots()).isEmpty();
    }

    @Test
    void an_unknown_policy_is_not_found() {
        assertThatThrownBy(() -> HostPolicy.DEFAULT.digests("other"))
                .isInstanceOfSatisfying(
                        BerthException.class,
                        refusal -> assertThat(refusal.code()).isEqualTo(ProblemCode.NOT_FOUND));
    }

    @Test
    void equal_policies_have_equal_digests_of_64_hex_digits() {
        HostPolicy.Digests digests = with(policy("m", "x"), key("K")).digests("p");
        assertThat(with(policy("m", "x"), key("K")).digests("p")).isEqualTo(digests);
        assertThat(List.of(digests.bindingDigest(), digests.profileDigest(), digests.configurationDigest()))
                .allMatch(each -> each.matches("[0-9a-f]{64}"))
                .doesNotHaveDuplicates();
    }

    @Test
    void a_selected_provider_input_changes_the_configuration_digest_alone() {
        HostPolicy.Digests digests = with(policy("m", "x"), key("K")).digests("p");
        for (HostPolicy changed : List.of(
                with(policy(null, "x"), key("K")),
                with(policy("m", "y"), key("K")),
                with(policy("m", "x"), key("L")))) {
            HostPolicy.Digests other = changed.digests("p");
            assertThat(other.configurationDigest()).isNotEqualTo(digests.configurationDigest());
            assertThat(other.bindingDigest()).isEqualTo(digests.bindingDigest());
            assertThat(other.profileDigest()).isEqualTo(digests.profileDigest());
        }
    }

    @Test
    void the_published_tree_shows_names_of_sources_and_each_policys_digests() {
        HostPolicy host = with(policy("m", "x"), key("K"));
        Map<String, Object> tree = host.publish();
        assertThat(CanonicalJson.write(tree.get("references")))
                .isEqualTo("{\"token\":{\"alias\":\"token\",\"store\":\"berth\"}}");
        assertThat(CanonicalJson.write(tree.get("credentials"))).contains("\"source\":{\"env\":\"K\"}");
        assertThat(CanonicalJson.write(tree.get("policies")))
                .contains(host.digests("p").bindingDigest(), host.digests("p").configurationDigest());
        assertThat(tree.get("placement")).isEqualTo("native");
    }
}
