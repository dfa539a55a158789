package org.berth.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import jakarta.servlet.http.HttpServletRequest;
import java.lang.reflect.Proxy;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.berth.access.Caller;
import org.berth.access.Role;
import org.berth.access.security.BearerAuthenticationMechanism;
import org.berth.problem.BerthException;
import org.berth.problem.ProblemCode;
import org.berth.work.Actor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SendersTest {
    private static final Caller OPERATOR = new Caller("owner", Set.of(Role.OPERATOR, Role.OWNER), "0123");
    private static final Caller OWNER = new Caller("alice", Set.of(Role.OWNER), "4567");
    private static final Caller SEAT = new Caller("owner", Set.of(Role.SEAT), "89ab", "worker@team");

    @Test
    void anOperatorDeclaresTheSeatWithTheHeader() {
        assertThat(senders(OPERATOR, Map.of("X-OpenRig-Session", "coordinator@team"))
                        .writer())
                .isEqualTo(new Actor("coordinator@team", "transport:v1", null));
    }

    @Test
    void aWriterWithoutASeatIsRefused() {
        refused(senders(OPERATOR, Map.of()), ProblemCode.SENDER_IDENTITY_REQUIRED);
        refused(senders(OPERATOR, Map.of("X-OpenRig-Session", " ")), ProblemCode.SENDER_IDENTITY_REQUIRED);
    }

    @ParameterizedTest
    @ValueSource(strings = {"worker", "@team", "worker@", "a@b@c", "worker @team", "worker@te\u0000am"})
    void aHeaderThatIsNoSeatIsRefused(String header) {
        refused(senders(OPERATOR, Map.of("X-OpenRig-Session", header)), ProblemCode.INVALID);
    }

    @Test
    void aSeatsTokenProvesItsOwnSeatWithAndWithoutTheHeader() {
        Actor proven = new Actor("worker@team", "principal:v1", "{\"source\":\"token\",\"id\":\"89ab\"}");
        assertThat(senders(SEAT, Map.of()).writer()).isEqualTo(proven);
        assertThat(senders(SEAT, Map.of("X-OpenRig-Session", "worker@team")).writer())
                .isEqualTo(proven);
    }

    @Test
    void aSeatsTokenNamesNoOtherSeat() {
        refused(senders(SEAT, Map.of("X-OpenRig-Session", "other@team")), ProblemCode.FORBIDDEN);
    }

    @Test
    void anOwnersTokenHasNoSeat() {
        refused(senders(OWNER, Map.of("X-OpenRig-Session", "worker@team")), ProblemCode.FORBIDDEN);
        assertThatExceptionOfType(BerthException.class)
                .isThrownBy(() -> senders(OWNER, Map.of()).reader());
    }

    @Test
    void aForgedPrincipalIsIgnored() {
        String forged = "{\"source\":\"file\",\"id\":\"forged\"}";
        assertThat(senders(OPERATOR, Map.of("X-OpenRig-Session", "w@team", "X-OpenRig-Principal", forged))
                        .writer()
                        .principal())
                .isNull();
        assertThat(senders(SEAT, Map.of("X-OpenRig-Principal", forged)).writer().principal())
                .doesNotContain("forged");
    }

    private static void refused(Senders senders, ProblemCode code) {
        assertThatExceptionOfType(BerthException.class)
                .isThrownBy(senders::writer)
                .satisfies(problem -> assertThat(problem.code()).isEqualTo(code));
    }

    private static Senders senders(Caller caller, Map<String, String> headers) {
        Map<String, Object> attributes = new HashMap<>();
        attributes.put(BearerAuthenticationMechanism.CALLER, caller);
        return new Senders((HttpServletRequest) Proxy.newProxyInstance(
                SendersTest.class.getClassLoader(),
                new Class<?>[] {HttpServletRequest.class},
                (_, method, arguments) -> switch (method.getName()) {
                    case "getHeader" -> headers.get(arguments[0]);
                    case "getAttribute" -> attributes.get(arguments[0]);
                    default -> throw new UnsupportedOperationException(method.getName());
                }));
    }
}
