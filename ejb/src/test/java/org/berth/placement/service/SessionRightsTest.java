package org.berth.placement.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.berth.access.Caller;
import org.berth.access.Role;
import org.berth.host.HostPolicy;
import org.berth.placement.ResourceAccess;
import org.berth.placement.ResourceGrant;
import org.berth.placement.ResourcePurpose;
import org.berth.problem.BerthException;
import org.berth.problem.ProblemCode;
import org.junit.jupiter.api.Test;

class SessionRightsTest {
    private static final Caller OPERATOR = new Caller("op", Set.of(Role.OPERATOR), "t");
    private static final Caller OWNER = new Caller("ann", Set.of(Role.OWNER), "t");
    private static final ResourceGrant OWN = grant("session-k", ResourcePurpose.SESSION, ResourceAccess.WRITE, null);

    private static ResourceGrant grant(String ref, ResourcePurpose purpose, ResourceAccess access, String attemptId) {
        return new ResourceGrant(
                ref, "ann", "/state/home", "", access, purpose, attemptId, "op", Instant.EPOCH, null, null);
    }

    @Test
    void an_operators_first_run_in_a_session_issues_its_grant_and_later_ones_use_it() {
        SessionRights.Right first = SessionRights.granted(OPERATOR, OWN, false, List.of());

        assertThat(first.missing()).isEqualTo(OWN);
        assertThat(first.grantRef()).isEqualTo("session-k");
        assertThat(SessionRights.granted(OPERATOR, OWN, true, List.of()))
                .isEqualTo(new SessionRights.Right("session-k", first.rootRef(), null));
    }

    @Test
    void an_owner_uses_the_sessions_grant_or_one_that_an_operator_issued() {
        ResourceGrant issued = grant("g1", ResourcePurpose.SESSION, ResourceAccess.WRITE, null);

        assertThat(SessionRights.granted(OWNER, OWN, true, List.of()).grantRef())
                .isEqualTo("session-k");
        assertThat(SessionRights.granted(OWNER, OWN, false, List.of(issued)))
                .satisfies(right -> assertThat(right.grantRef()).isEqualTo("g1"))
                .satisfies(right -> assertThat(right.missing()).isNull());
    }

    @Test
    void a_revoked_grant_of_the_session_is_replaced_by_no_other() {
        ResourceGrant other = grant("g1", ResourcePurpose.SESSION, ResourceAccess.WRITE, null);

        // recorded, and not among those that hold
        assertThat(SessionRights.granted(OWNER, OWN, true, List.of(other)).grantRef())
                .isEqualTo("session-k");
        assertThat(SessionRights.granted(OPERATOR, OWN, true, List.of()).missing())
                .isNull();
    }

    @Test
    void other_grants_are_no_right_to_a_session() {
        List<ResourceGrant> others = List.of(
                grant("g1", ResourcePurpose.PROJECT, ResourceAccess.WRITE, null),
                grant("g2", ResourcePurpose.SESSION, ResourceAccess.READ, null),
                grant("g3", ResourcePurpose.SESSION, ResourceAccess.WRITE, "another-attempt"));

        assertThatThrownBy(() -> SessionRights.granted(OWNER, OWN, false, others))
                .asInstanceOf(InstanceOfAssertFactories.type(BerthException.class))
                .satisfies(refusal -> assertThat(refusal.code()).isEqualTo(ProblemCode.DENIED))
                .satisfies(refusal -> assertThat(refusal.getMessage()).startsWith("session_ref needs a grant"));
    }

    @Test
    void a_host_without_a_writable_root_has_no_sessions_in_mode_host_configured() {
        assertThatThrownBy(() -> SessionRights.writableRoot(HostPolicy.DEFAULT))
                .asInstanceOf(InstanceOfAssertFactories.type(BerthException.class))
                .satisfies(refusal -> assertThat(refusal.code()).isEqualTo(ProblemCode.DENIED));
    }
}
