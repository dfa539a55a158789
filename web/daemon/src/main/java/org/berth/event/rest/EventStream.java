package org.berth.event.rest;

import jakarta.inject.Inject;
import jakarta.servlet.annotation.WebServlet;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.berth.access.Caller;
import org.berth.event.service.EventFeed;
import org.berth.json.JsonText;
import org.berth.problem.BerthException;
import org.berth.problem.ProblemDocument;
import org.berth.web.Fields;
import org.berth.web.Senders;

/**
 * Server-sent events. A servlet of its own, since its writes must never hold a thread. Source: environments.md, Work
 * queue; the HTML standard, Server-sent events.
 */
@WebServlet(urlPatterns = EventStream.ROUTE, asyncSupported = true)
public class EventStream extends HttpServlet {
    static final String ROUTE = "/api/events";

    private static final long serialVersionUID = 1L;
    private static final String LAST_ID = "Last-Event-ID";

    @Inject
    private transient Senders senders;

    @Inject
    private transient EventFeed feed;

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
        response.setHeader("Cache-Control", "no-store");
        response.setHeader("X-Content-Type-Options", "nosniff");
        EventConnection connection;
        try {
            connection = connection(request);
            feed.join(connection);
        } catch (BerthException problem) {
            refuse(response, problem);
            return;
        }
        response.setContentType("text/event-stream");
        response.setCharacterEncoding(StandardCharsets.UTF_8.name());
        connection.start(request.startAsync());
    }

    private EventConnection connection(HttpServletRequest request) {
        Caller caller = senders.reader();
        EventTypes types = EventTypes.parse(request.getParameterValues("type"));
        String given = request.getHeader(LAST_ID);
        String name = given == null ? "lastEventId" : LAST_ID;
        String last = given == null ? request.getParameter("lastEventId") : given;
        long now = feed.now();
        long position = Math.min(now, Fields.queryNumber(name, last, now, 0, Long.MAX_VALUE));
        EventConnection connection = new EventConnection(caller, types, position, feed);
        long oldest = position == now ? 0 : feed.oldest();
        if (position > 0 && position + 1 < oldest) {
            connection.missed(oldest);
        }
        return connection;
    }

    private static void refuse(HttpServletResponse response, BerthException problem) throws IOException {
        byte[] body = JsonText.write(ProblemDocument.tree(problem)).getBytes(StandardCharsets.UTF_8);
        response.setStatus(problem.status());
        response.setContentType(ProblemDocument.MEDIA_TYPE);
        response.setContentLength(body.length);
        response.getOutputStream().write(body);
    }
}
