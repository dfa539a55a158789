package org.berth.access.security;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import jakarta.security.enterprise.AuthenticationStatus;
import jakarta.security.enterprise.authentication.mechanism.http.HttpAuthenticationMechanism;
import jakarta.security.enterprise.authentication.mechanism.http.HttpMessageContext;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.berth.access.Caller;
import org.berth.access.Role;
import org.berth.problem.ProblemCode;

/**
 * Lets a request pass only with a bearer token that holds, WebSocket upgrades included; {@value #OPEN_PATH} needs none,
 * and {@value #HOOK_PATH} and web modules that say so prove their callers themselves. The principal is the owner id, the groups are the names of the roles, and the {@link Caller} is the request's
 * attribute {@link #CALLER}. Gives every answer an {@code X-Request-Id}. Source: RFC 6750 sections 2.1 and 3.
 */
@ApplicationScoped
public class BearerAuthenticationMechanism implements HttpAuthenticationMechanism {
    /** The request attribute that holds the {@link Caller}. */
    public static final String CALLER = "org.berth.access.caller";

    /** The header, and the request attribute, of the request's id. */
    public static final String REQUEST_ID = "X-Request-Id";

    /** A web module's context parameter: {@value #OWN} when it proves its callers itself and takes no API token. */
    public static final String AUTHENTICATION = "org.berth.authentication";

    static final String OWN = "own";

    static final String HOOK_PATH = "/api/activity/hooks";

    static final String OPEN_PATH = "/healthz";

    private static final Logger LOG = Logger.getLogger(BearerAuthenticationMechanism.class.getName());
    private static final Pattern BEARER = Pattern.compile("Bearer +(\\S+) *", Pattern.CASE_INSENSITIVE);
    /** What a caller may choose as its request's id, so that logs stay readable. */
    private static final Pattern PLAIN_ID = Pattern.compile("[A-Za-z0-9._:-]{1,64}");

    private final TokenVerifier verifier;

    /** For the container's proxy. */
    protected BearerAuthenticationMechanism() {
        this(null);
    }

    @Inject
    public BearerAuthenticationMechanism(TokenVerifier verifier) {
        this.verifier = verifier;
    }

    @Override
    public AuthenticationStatus validateRequest(
            HttpServletRequest request, HttpServletResponse response, HttpMessageContext context) {
        nameRequest(request, response);
        if (OPEN_PATH.equals(path(request)) || authenticatesItself(request)) {
            return context.doNothing();
        }
        String header = request.getHeader("Authorization");
        if (header == null) {
            return unauthenticated(response, "Bearer", "a bearer token is needed");
        }
        Optional<Caller> caller;
        try {
            Matcher bearer = BEARER.matcher(header);
            caller = bearer.matches() ? verifier.verify(bearer.group(1), Instant.now()) : Optional.empty();
        } catch (RuntimeException e) {
            LOG.log(Level.WARNING, "a token could not be checked", e);
            ProblemAnswer.write(response, ProblemCode.UNAVAILABLE, "the token could not be checked; try again");
            return AuthenticationStatus.SEND_FAILURE;
        }
        if (caller.isEmpty()) {
            return unauthenticated(response, "Bearer error=\"invalid_token\"", "the bearer token is not valid");
        }
        request.setAttribute(CALLER, caller.get());
        return context.notifyContainerAboutLogin(
                new BearerPrincipal(caller.get()),
                caller.get().roles().stream().map(Role::wire).collect(Collectors.toSet()));
    }

    private static AuthenticationStatus unauthenticated(
            HttpServletResponse response, String challenge, String sentence) {
        response.setHeader("WWW-Authenticate", challenge);
        ProblemAnswer.write(response, ProblemCode.UNAUTHENTICATED, sentence);
        return AuthenticationStatus.SEND_FAILURE;
    }

    private static void nameRequest(HttpServletRequest request, HttpServletResponse response) {
        String given = request.getHeader(REQUEST_ID);
        String id = given != null && PLAIN_ID.matcher(given).matches()
                ? given
                : UUID.randomUUID().toString();
        request.setAttribute(REQUEST_ID, id);
        response.setHeader(REQUEST_ID, id);
    }

    private static boolean authenticatesItself(HttpServletRequest request) {
        return HOOK_PATH.equals(path(request))
                || OWN.equals(request.getServletContext().getInitParameter(AUTHENTICATION));
    }

    /** As the container resolved it, so that no encoding or path parameter can pass for the open path. */
    private static String path(HttpServletRequest request) {
        return request.getServletPath() + (request.getPathInfo() == null ? "" : request.getPathInfo());
    }
}
