package org.berth.activity.hooks;

import jakarta.inject.Inject;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.berth.activity.service.HookIngest;
import org.berth.problem.BerthException;
import org.berth.problem.ProblemCode;

/**
 * {@code POST} {@value #PATH}; every other method is no route. A servlet and no resource, since its posts wait for their
 * body and for their transaction without holding a thread.
 */
public abstract class HookEndpoint extends HttpServlet {
    private static final long serialVersionUID = 1L;

    /** Where hooks post. */
    public static final String PATH = "/api/activity/hooks";

    /** A body over 64 KiB is refused: {@value} bytes. */
    public static final int MAX_BYTES = 64 << 10;

    /** How long a body may take to arrive and to be recorded. */
    private static final long WITHIN_MILLIS = 60_000;

    private static final Pattern BEARER = Pattern.compile("Bearer +(\\S+) *", Pattern.CASE_INSENSITIVE);

    @Inject
    private transient HookIngest ingest;

    /** Whether this listener takes the install-wide token too. */
    protected abstract boolean takesInstallToken();

    @Override
    protected void service(HttpServletRequest request, HttpServletResponse response) throws IOException {
        if (!"POST".equals(request.getMethod()) || !PATH.equals(request.getRequestURI())) {
            noRoute(response);
            return;
        }
        try {
            HookIngest.Poster poster = ingest.authenticate(token(request), takesInstallToken());
            if (request.getContentLengthLong() > MAX_BYTES) {
                throw HookBody.tooLarge();
            }
            AsyncContext exchange = request.startAsync();
            exchange.setTimeout(WITHIN_MILLIS);
            HookBody.read(exchange, new HookAnswer(exchange), bytes -> ingest.record(poster, bytes));
        } catch (RuntimeException e) {
            HookAnswer.problem(response, HookAnswer.told(e));
        }
    }

    /** What every other path and method answers. */
    protected static void noRoute(HttpServletResponse response) throws IOException {
        HookAnswer.problem(response, new BerthException(ProblemCode.NOT_FOUND, "there is no such route"));
    }

    private static String token(HttpServletRequest request) {
        String header = request.getHeader("Authorization");
        if (header == null) {
            return null;
        }
        Matcher bearer = BEARER.matcher(header);
        return bearer.matches() ? bearer.group(1) : null;
    }
}
