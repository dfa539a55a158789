package org.berth.web;

import jakarta.servlet.RequestDispatcher;
import jakarta.servlet.annotation.WebServlet;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.berth.json.JsonText;
import org.berth.problem.ProblemCode;
import org.berth.problem.ProblemDocument;

/** The container's own refusals, such as a path that is no UTF-8, as problems. Reached by error dispatch only. */
@WebServlet("/problem")
public class ErrorPage extends HttpServlet {
    private static final long serialVersionUID = 1L;

    @Override
    protected void service(HttpServletRequest request, HttpServletResponse response) throws IOException {
        Object status = request.getAttribute(RequestDispatcher.ERROR_STATUS_CODE);
        ProblemCode code = code(status instanceof Integer number ? number : HttpServletResponse.SC_NOT_FOUND);
        byte[] body = JsonText.write(ProblemDocument.tree(code, sentence(code))).getBytes(StandardCharsets.UTF_8);
        response.setStatus(code.status());
        response.setContentType(ProblemDocument.MEDIA_TYPE);
        response.setContentLength(body.length);
        response.getOutputStream().write(body);
    }

    private static ProblemCode code(int status) {
        for (ProblemCode code : ProblemCode.values()) {
            if (code.status() == status) {
                return code;
            }
        }
        return status >= 500 ? ProblemCode.INTERNAL : ProblemCode.INVALID;
    }

    private static String sentence(ProblemCode code) {
        return switch (code) {
            case NOT_FOUND -> "there is no such route";
            case METHOD_NOT_ALLOWED -> "this route has not that method";
            case UNAUTHENTICATED -> "a bearer token is needed";
            case TOO_LARGE -> "the request is too large";
            case STORAGE, INTERNAL -> "the server failed inside; its log has the request id";
            default -> "the request cannot be read";
        };
    }
}
