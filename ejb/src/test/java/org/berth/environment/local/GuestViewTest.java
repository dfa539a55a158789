package org.berth.environment.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.berth.environment.policy.FilesystemPolicy;
import org.berth.problem.BerthException;
import org.berth.problem.ProblemCode;
import org.junit.jupiter.api.Test;

class GuestViewTest {
    private static final List<String> SYSTEM =
            List.of("/usr", "/lib", "/lib64", "/etc", "/opt/openrig", "/proc", "/sys");

    @Test
    void the_references_policy_adds_nothing_to_the_view() {
        assertThat(GuestView.data(new FilesystemPolicy(true, SYSTEM, List.of("/sandbox/openrig", "/tmp"))))
                .isEmpty();
        assertThat(GuestView.data(null)).isEmpty();
    }

    @Test
    void a_host_path_that_the_policy_reads_is_added() {
        assertThat(GuestView.data(
                        new FilesystemPolicy(true, List.of("/usr", "/srv/data", "/srv/data"), List.of("/tmp"))))
                .containsExactly("/srv/data");
    }

    @Test
    void a_host_path_that_the_policy_writes_is_denied() {
        refused(new FilesystemPolicy(true, SYSTEM, List.of("/srv/data")), ProblemCode.ENVIRONMENT_PATH_DENIED);
        refused(new FilesystemPolicy(true, SYSTEM, List.of("/home")), ProblemCode.ENVIRONMENT_PATH_DENIED);
    }

    @Test
    void a_policy_under_which_no_guest_works_is_invalid() {
        refused(new FilesystemPolicy(false, SYSTEM, List.of("/tmp")), ProblemCode.ENVIRONMENT_POLICY_INVALID);
        refused(new FilesystemPolicy(true, List.of("/etc"), List.of()), ProblemCode.ENVIRONMENT_POLICY_INVALID);
    }

    private static void refused(FilesystemPolicy policy, ProblemCode code) {
        assertThatThrownBy(() -> GuestView.data(policy))
                .isInstanceOfSatisfying(
                        BerthException.class,
                        refusal -> assertThat(refusal.code()).isEqualTo(code));
    }
}
