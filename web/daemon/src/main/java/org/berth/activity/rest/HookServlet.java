package org.berth.activity.rest;

import jakarta.servlet.annotation.WebServlet;
import org.berth.activity.hooks.HookEndpoint;

/** Hooks of the host's own sessions, under the install-wide token, and of guests that reach the daemon. */
@WebServlet(urlPatterns = HookEndpoint.PATH, asyncSupported = true)
public class HookServlet extends HookEndpoint {
    private static final long serialVersionUID = 1L;

    @Override
    protected boolean takesInstallToken() {
        return true;
    }
}
