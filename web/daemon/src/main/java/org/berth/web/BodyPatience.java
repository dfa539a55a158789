package org.berth.web;

import io.undertow.server.HttpHandler;
import io.undertow.servlet.ServletExtension;
import io.undertow.servlet.api.DeploymentInfo;
import jakarta.servlet.ServletContext;
import java.time.Duration;

/**
 * Gives every request that has a body a {@link PacedBody}. Listeners have no read time-out, because WebSockets and long
 * polls are quiet for long; a body is not. Found by Undertow through its service file.
 */
public final class BodyPatience implements ServletExtension {
    /** Milliseconds before a body must keep a rate, as a system property. */
    static final String PROPERTY = "berth.body.patience.millis";

    /** Source: berth.body.patience.millis is 30 s where nothing else is said, as the listeners' request-parse-timeout. */
    private static final int DEFAULT_MILLIS = 30_000;

    /** Made by Undertow. */
    public BodyPatience() {}

    @Override
    public void handleDeployment(DeploymentInfo deployment, ServletContext context) {
        Duration patience = Duration.ofMillis(Integer.getInteger(PROPERTY, DEFAULT_MILLIS));
        deployment.addOuterHandlerChainWrapper(next -> paced(next, patience));
    }

    private static HttpHandler paced(HttpHandler next, Duration patience) {
        return exchange -> {
            if (!exchange.isRequestComplete()) {
                exchange.addRequestWrapper((source, of) -> new PacedBody(source.create(), of, patience));
            }
            next.handleRequest(exchange);
        };
    }
}
