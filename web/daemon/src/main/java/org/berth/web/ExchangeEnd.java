package org.berth.web;

import io.undertow.server.ExchangeCompletionListener;
import io.undertow.server.HttpHandler;
import io.undertow.server.HttpServerExchange;
import io.undertow.server.protocol.http.HttpServerConnection;
import io.undertow.servlet.ServletExtension;
import io.undertow.servlet.api.DeploymentInfo;
import jakarta.servlet.ServletContext;
import java.util.concurrent.RejectedExecutionException;

/**
 * Ends exchanges of HTTP/1.1 on their connection's own thread. Undertow's reader waits in a busy loop while another
 * thread makes the connection ready for its next request; when that thread is put off in between, which waking the
 * reader invites, the loop takes a whole time slice. Found by Undertow through its service file.
 */
public final class ExchangeEnd implements ServletExtension {
    private static final ExchangeCompletionListener ON_READER = ExchangeEnd::end;

    /** Made by Undertow. */
    public ExchangeEnd() {}

    @Override
    public void handleDeployment(DeploymentInfo deployment, ServletContext context) {
        deployment.addOuterHandlerChainWrapper(ExchangeEnd::wrapped);
    }

    private static HttpHandler wrapped(HttpHandler next) {
        return exchange -> {
            if (exchange.getConnection() instanceof HttpServerConnection) {
                exchange.addExchangeCompleteListener(ON_READER);
            }
            next.handleRequest(exchange);
        };
    }

    private static void end(HttpServerExchange exchange, ExchangeCompletionListener.NextListener next) {
        if (exchange.isInIoThread() || !exchange.isPersistent() || exchange.isUpgrade()) {
            next.proceed();
            return;
        }
        try {
            exchange.getIoThread().execute(next::proceed);
        } catch (RejectedExecutionException e) {
            next.proceed();
        }
    }
}
