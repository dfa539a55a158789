package org.berth.guest.web;

import jakarta.servlet.annotation.WebServlet;
import org.berth.activity.hooks.HookEndpoint;

/** The whole guest listener: every path arrives here, and one of them is a route. Source: environments.md, three listeners. */
@WebServlet(urlPatterns = "/*", asyncSupported = true)
public class GuestServlet extends HookEndpoint {
    private static final long serialVersionUID = 1L;

    @Override
    protected boolean takesInstallToken() {
        return false;
    }
}
