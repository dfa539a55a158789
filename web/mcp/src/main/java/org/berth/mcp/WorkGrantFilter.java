package org.berth.mcp;

import jakarta.inject.Inject;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.annotation.WebFilter;
import jakarta.servlet.http.HttpFilter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.berth.activity.WorkScope;
import org.berth.activity.service.WorkGrantService;
import org.berth.json.JsonText;
import org.berth.placement.service.Failures;
import org.berth.problem.BerthException;
import org.berth.problem.ProblemCode;
import org.berth.problem.ProblemDocument;

/**
 * Lets a call pass to {@value McpListener#PATH} under a work grant that holds now: it is looked up for each call, so that
 * a revocation ends an open session too. Who calls is what the grant says; no header can claim a principal.
 */
@WebFilter(urlPatterns = "/*", asyncSupported = true)
public class WorkGrantFilter extends HttpFilter {
    private static final long serialVersionUID = 1L;

    /** The request attribute that holds the {@link WorkScope}. */
    static final String SCOPE = "org.berth.mcp.scope";

    private static final Pattern BEARER = Pattern.compile("Bearer +(\\S+) *", Pattern.CASE_INSENSITIVE);

    @Inject
    private transient WorkGrantService grants;

    @Override
    protected void doFilter(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        try {
            if (!McpListener.PATH.equals(request.getRequestURI())) {
                throw new BerthException(ProblemCode.NOT_FOUND, "there is no such route");
            }
            HostNames.require(request.getHeader("Host"), request.getHeader("Origin"));
            request.setAttribute(SCOPE, WorkScope.of(grants.authenticate(token(request))));
        } catch (RuntimeException e) {
            refuse(response, Failures.unwrap(e));
            return;
        }
        chain.doFilter(request, response);
    }

    private static String token(HttpServletRequest request) {
        String header = request.getHeader("Authorization");
        Matcher bearer = BEARER.matcher(header == null ? "" : header);
        return bearer.matches() ? bearer.group(1) : "";
    }

    private static void refuse(HttpServletResponse response, BerthException problem) throws IOException {
        byte[] body = JsonText.write(ProblemDocument.tree(problem)).getBytes(StandardCharsets.UTF_8);
        response.setStatus(problem.status());
        if (problem.status() == HttpServletResponse.SC_UNAUTHORIZED) {
            response.setHeader("WWW-Authenticate", "Bearer");
        }
        response.setHeader("Cache-Control", "no-store");
        response.setContentType(ProblemDocument.MEDIA_TYPE);
        response.setContentLength(body.length);
        response.getOutputStream().write(body);
    }
}
