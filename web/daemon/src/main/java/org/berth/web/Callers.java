package org.berth.web;

import jakarta.enterprise.context.RequestScoped;
import jakarta.inject.Inject;
import jakarta.servlet.http.HttpServletRequest;
import org.berth.access.Caller;
import org.berth.access.security.BearerAuthenticationMechanism;
import org.berth.problem.BerthException;
import org.berth.problem.ProblemCode;

/** The caller that the bearer token proved. */
@RequestScoped
public class Callers {
    @Inject
    private HttpServletRequest request;

    /** @throws BerthException UNAUTHENTICATED */
    public Caller current() {
        return of(request);
    }

    /** @throws BerthException UNAUTHENTICATED */
    public static Caller of(HttpServletRequest request) {
        if (request.getAttribute(BearerAuthenticationMechanism.CALLER) instanceof Caller caller) {
            return caller;
        }
        throw new BerthException(ProblemCode.UNAUTHENTICATED, "a bearer token is needed");
    }
}
