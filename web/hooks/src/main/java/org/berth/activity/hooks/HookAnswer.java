package org.berth.activity.hooks;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.berth.activity.ActivityEvent;
import org.berth.json.JsonText;
import org.berth.placement.service.Failures;
import org.berth.problem.BerthException;
import org.berth.problem.ProblemDocument;

/** Answers a post once, from whichever thread knows the answer first. */
final class HookAnswer implements AsyncListener {
    private static final Logger LOG = Logger.getLogger(HookAnswer.class.getName());

    private final AsyncContext exchange;
    private final AtomicBoolean given = new AtomicBoolean();

    HookAnswer(AsyncContext exchange) {
        this.exchange = exchange;
        exchange.addListener(this);
    }

    /** The recorded event or what refused it; never writes on the calling thread, which is the writing one. */
    void tell(ActivityEvent event, Throwable failure) {
        if (failure != null) {
            refuse(told(failure));
        } else if (given.compareAndSet(false, true)) {
            Map<String, Object> tree = new LinkedHashMap<>();
            tree.put("ok", true);
            tree.put("seat", event.seat());
            tree.put("generation", event.generation());
            tree.put("state", event.state() == null ? null : event.state().wire());
            later(200, "application/json", tree);
        }
    }

    void refuse(BerthException problem) {
        if (given.compareAndSet(false, true)) {
            later(problem.status(), ProblemDocument.MEDIA_TYPE, ProblemDocument.tree(problem));
        }
    }

    /** The peer is gone. */
    void abandon() {
        if (given.compareAndSet(false, true)) {
            exchange.complete();
        }
    }

    private void later(int status, String type, Map<String, Object> tree) {
        exchange.start(() -> {
            try {
                write((HttpServletResponse) exchange.getResponse(), status, type, tree);
            } catch (IOException e) {
                LOG.log(Level.FINE, "the poster of a hook is gone", e);
            } finally {
                exchange.complete();
            }
        });
    }

    /** The problem to tell; what is not meant for a caller goes to the log only. */
    static BerthException told(Throwable failure) {
        BerthException problem = Failures.unwrap(failure);
        if (problem.status() >= 500 && problem.getCause() != null) {
            LOG.log(Level.WARNING, "a hook post failed: " + problem.getMessage(), problem.getCause());
        }
        return problem;
    }

    static void problem(HttpServletResponse response, BerthException problem) throws IOException {
        write(response, problem.status(), ProblemDocument.MEDIA_TYPE, ProblemDocument.tree(problem));
    }

    private static void write(HttpServletResponse response, int status, String type, Map<String, Object> tree)
            throws IOException {
        byte[] body = JsonText.write(tree).getBytes(StandardCharsets.UTF_8);
        response.setStatus(status);
        if (status == HttpServletResponse.SC_UNAUTHORIZED) {
            response.setHeader("WWW-Authenticate", "Bearer");
        }
        response.setHeader("Cache-Control", "no-store");
        response.setContentType(type);
        response.setContentLength(body.length);
        response.getOutputStream().write(body);
    }

    @Override
    public void onTimeout(AsyncEvent event) {
        refuse(BerthException.invalid("the post did not arrive in time"));
    }

    @Override
    public void onComplete(AsyncEvent event) {
        // Nothing is held.
    }

    @Override
    public void onError(AsyncEvent event) {
        abandon();
    }

    @Override
    public void onStartAsync(AsyncEvent event) {
        // A post starts once.
    }
}
