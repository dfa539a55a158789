package org.berth.access.security;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.security.enterprise.AuthenticationStatus;
import jakarta.security.enterprise.authentication.mechanism.http.HttpMessageContext;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.WriteListener;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.ByteArrayOutputStream;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.security.Principal;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.berth.access.ApiToken;
import org.berth.access.Caller;
import org.berth.access.IssuedToken;
import org.berth.access.Role;
import org.berth.access.Tokens;
import org.berth.access.store.ApiTokenRepository;
import org.junit.jupiter.api.Test;

class BearerAuthenticationMechanismTest {
    private final IssuedToken issued =
            Tokens.issue(new SecureRandom(), "owner-1", Set.of(Role.OPERATOR, Role.OWNER), "test", Instant.now(), null);
    private final Exchange exchange = new Exchange();
    private RuntimeException storeFailure;

    @Test
    void a_token_that_holds_logs_its_owner_in_with_its_roles() {
        exchange.requestHeaders.put("Authorization", "Bearer " + issued.text());
        assertThat(validate("/api/whoami")).isEqualTo(AuthenticationStatus.SUCCESS);
        assertThat(exchange.principal).isEqualTo("owner-1");
        assertThat(exchange.groups).containsExactlyInAnyOrder(Role.OPERATOR_NAME, Role.OWNER_NAME);
        assertThat(exchange.attributes)
                .containsEntry(
                        BearerAuthenticationMechanism.CALLER,
                        new Caller(
                                "owner-1",
                                Set.of(Role.OPERATOR, Role.OWNER),
                                issued.token().tokenId()));
    }

    @Test
    void the_scheme_may_be_written_in_any_case() {
        exchange.requestHeaders.put("Authorization", "bearer " + issued.text());
        assertThat(validate("/api/whoami")).isEqualTo(AuthenticationStatus.SUCCESS);
    }

    @Test
    void without_a_token_the_answer_is_a_problem_with_a_challenge() {
        assertThat(validate("/")).isEqualTo(AuthenticationStatus.SEND_FAILURE);
        assertThat(exchange.status).isEqualTo(401);
        assertThat(exchange.contentType).isEqualTo("application/problem+json");
        assertThat(exchange.responseHeaders).containsEntry("WWW-Authenticate", "Bearer");
        assertThat(exchange.body()).contains("\"code\":\"UNAUTHENTICATED\"").contains("\"status\":401");
        assertThat(exchange.principal).isNull();
    }

    @Test
    void a_token_that_does_not_hold_is_refused_and_not_repeated() {
        exchange.requestHeaders.put("Authorization", "Bearer " + issued.text().replace("berth_", "berth-"));
        assertThat(validate("/api/whoami")).isEqualTo(AuthenticationStatus.SEND_FAILURE);
        assertThat(exchange.status).isEqualTo(401);
        assertThat(exchange.responseHeaders).containsEntry("WWW-Authenticate", "Bearer error=\"invalid_token\"");
        assertThat(exchange.body()).doesNotContain("berth-");
    }

    @Test
    void another_scheme_is_refused() {
        exchange.requestHeaders.put("Authorization", "Basic " + issued.text());
        assertThat(validate("/api/whoami")).isEqualTo(AuthenticationStatus.SEND_FAILURE);
    }

    @Test
    void a_store_that_fails_is_unavailable_and_never_a_login() {
        storeFailure = new IllegalStateException("native text");
        exchange.requestHeaders.put("Authorization", "Bearer " + issued.text());
        assertThat(validate("/api/whoami")).isEqualTo(AuthenticationStatus.SEND_FAILURE);
        assertThat(exchange.status).isEqualTo(503);
        assertThat(exchange.body()).contains("UNAVAILABLE").doesNotContain("native text");
    }

    @Test
    void only_the_health_route_is_open() {
        assertThat(validate("/healthz")).isEqualTo(AuthenticationStatus.NOT_DONE);
        assertThat(exchange.status).isZero();
        assertThat(validate("/healthz/more")).isEqualTo(AuthenticationStatus.SEND_FAILURE);
        assertThat(validate("/HEALTHZ")).isEqualTo(AuthenticationStatus.SEND_FAILURE);
    }

    @Test
    void the_hook_route_and_modules_of_other_credentials_prove_their_callers_themselves() {
        assertThat(validate("/api/activity/hooks")).isEqualTo(AuthenticationStatus.NOT_DONE);
        assertThat(validate("/api/activity/hooks/more")).isEqualTo(AuthenticationStatus.SEND_FAILURE);
        exchange.contextParameters.put(BearerAuthenticationMechanism.AUTHENTICATION, "own");
        assertThat(validate("/mcp")).isEqualTo(AuthenticationStatus.NOT_DONE);
    }

    @Test
    void every_answer_names_its_request() {
        validate("/healthz");
        assertThat(exchange.responseHeaders.get("X-Request-Id")).isNotBlank();
        exchange.requestHeaders.put("X-Request-Id", "mine-1");
        validate("/healthz");
        assertThat(exchange.responseHeaders).containsEntry("X-Request-Id", "mine-1");
        exchange.requestHeaders.put("X-Request-Id", "two\nlines");
        validate("/healthz");
        assertThat(exchange.responseHeaders.get("X-Request-Id")).doesNotContain("lines");
    }

    private AuthenticationStatus validate(String path) {
        exchange.path = path;
        ApiTokenRepository tokens = new ApiTokenRepository() {
            @Override
            public Optional<ApiToken> find(String tokenId) {
                if (storeFailure != null) {
                    throw storeFailure;
                }
                return Optional.of(issued.token())
                        .filter(token -> token.tokenId().equals(tokenId));
            }
        };
        return new BearerAuthenticationMechanism(new TokenVerifier(tokens))
                .validateRequest(
                        exchange.proxy(HttpServletRequest.class),
                        exchange.proxy(HttpServletResponse.class),
                        exchange.proxy(HttpMessageContext.class));
    }

    /** The parts of a request, its response and its context that the mechanism uses; any other call fails. */
    private static final class Exchange implements InvocationHandler {
        final Map<String, String> requestHeaders = new HashMap<>();
        final Map<String, String> responseHeaders = new HashMap<>();
        final Map<String, String> contextParameters = new HashMap<>();
        final Map<String, Object> attributes = new HashMap<>();
        final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        String path;
        String contentType;
        int status;
        String principal;
        Set<Object> groups;

        <T> T proxy(Class<T> type) {
            return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, this));
        }

        String body() {
            return bytes.toString(StandardCharsets.UTF_8);
        }

        @Override
        public Object invoke(Object proxy, java.lang.reflect.Method method, Object[] given) {
            switch (method.getName()) {
                case "getServletPath" -> {
                    return path;
                }
                case "getServletContext" -> {
                    return proxy(jakarta.servlet.ServletContext.class);
                }
                case "getInitParameter" -> {
                    return contextParameters.get((String) given[0]);
                }
                case "getPathInfo" -> {
                    return null;
                }
                case "getHeader" -> {
                    return requestHeaders.get((String) given[0]);
                }
                case "setAttribute" -> attributes.put((String) given[0], given[1]);
                case "setHeader" -> responseHeaders.put((String) given[0], (String) given[1]);
                case "flushBuffer" -> responseHeaders.put("committed", "yes");
                case "setStatus" -> status = (int) given[0];
                case "setContentType" -> contentType = (String) given[0];
                case "setContentLength" -> responseHeaders.put("Content-Length", given[0].toString());
                case "getOutputStream" -> {
                    return new Output(bytes);
                }
                case "doNothing" -> {
                    return AuthenticationStatus.NOT_DONE;
                }
                case "notifyContainerAboutLogin" -> {
                    principal = ((Principal) given[0]).getName();
                    groups = Set.copyOf((Set<?>) given[1]);
                    return AuthenticationStatus.SUCCESS;
                }
                default -> throw new UnsupportedOperationException(method.toString());
            }
            return null;
        }
    }

    private static final class Output extends ServletOutputStream {
        private final ByteArrayOutputStream bytes;

        Output(ByteArrayOutputStream bytes) {
            this.bytes = bytes;
        }

        @Override
        public boolean isReady() {
            return true;
        }

        @Override
        public void setWriteListener(WriteListener listener) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void write(int value) {
            bytes.write(value);
        }
    }
}
