package org.berth.web;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerRequestFilter;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.ext.Provider;
import java.util.List;
import org.berth.access.Caller;
import org.berth.access.Role;
import org.berth.access.security.BearerAuthenticationMechanism;
import org.berth.problem.BerthException;
import org.berth.problem.ProblemCode;

/** Keeps a token of role seat to the routes of rigs, work and environments; attempts and tokens are an owner's. */
@Provider
public class SeatBounds implements ContainerRequestFilter {
    private static final List<String> OPEN = List.of(
            "/api/whoami",
            "/api/queue",
            "/api/rigs",
            "/api/seats",
            "/api/events",
            "/api/environments",
            "/api/activity",
            "/openapi");

    @Context
    private HttpServletRequest servlet;

    @Override
    public void filter(ContainerRequestContext request) {
        if (servlet.getAttribute(BearerAuthenticationMechanism.CALLER) instanceof Caller caller
                && !caller.isOperator()
                && !caller.is(Role.OWNER)
                && !open(request.getUriInfo().getPath())) {
            throw new BerthException(ProblemCode.FORBIDDEN, "A seat's token has no right to this route.");
        }
    }

    private static boolean open(String path) {
        String route = path.startsWith("/") ? path : "/" + path;
        return OPEN.stream().anyMatch(each -> route.equals(each) || route.startsWith(each + "/"));
    }
}
