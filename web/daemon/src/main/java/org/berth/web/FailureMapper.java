package org.berth.web;

import jakarta.ws.rs.WebApplicationException;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.ext.ExceptionMapper;
import jakarta.ws.rs.ext.Provider;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.berth.placement.service.Failures;
import org.berth.problem.BerthException;
import org.berth.problem.ProblemCode;

/** Turns everything that is thrown into a problem; what it is not meant for a caller goes to the log only. */
@Provider
public class FailureMapper implements ExceptionMapper<Throwable> {
    private static final Logger LOG = Logger.getLogger(FailureMapper.class.getName());

    @Override
    public Response toResponse(Throwable failure) {
        if (failure instanceof WebApplicationException web && !(web.getCause() instanceof BerthException)) {
            return protocol(web);
        }
        BerthException problem = Failures.unwrap(
                failure instanceof WebApplicationException web && web.getCause() != null ? web.getCause() : failure);
        if (problem.code().status() >= 500 && problem.getCause() != null) {
            LOG.log(Level.WARNING, "a request failed: " + problem.getMessage(), problem.getCause());
        }
        return Problems.answer(problem);
    }

    private static Response protocol(WebApplicationException failure) {
        int status = failure.getResponse().getStatus();
        return switch (status) {
            case 404 -> Problems.answer(ProblemCode.NOT_FOUND, "there is no such route");
            case 405 -> Problems.answer(ProblemCode.METHOD_NOT_ALLOWED, "this route has not that method");
            case 406 -> Problems.answer(ProblemCode.NOT_ACCEPTABLE, "this route answers application/json");
            case 415 -> Problems.answer(ProblemCode.UNSUPPORTED_MEDIA_TYPE, "this route takes application/json");
            case 401 -> Problems.answer(ProblemCode.UNAUTHENTICATED, "a bearer token is needed");
            case 403 -> Problems.answer(ProblemCode.FORBIDDEN, "this needs another role");
            default -> {
                if (status >= 400 && status < 500) {
                    yield Problems.answer(ProblemCode.INVALID, "the request cannot be read");
                }
                LOG.log(Level.WARNING, "a request failed with status " + status, failure);
                yield Problems.answer(ProblemCode.INTERNAL, "the server failed inside; its log has the request id");
            }
        };
    }
}
