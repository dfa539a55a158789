package org.berth.harness.service;

import org.berth.harness.output.Truncation;
import org.berth.harness.session.WorkspaceMode;

/**
 * What a client asks for.
 *
 * @param cwd null for none, which only a child with an isolated workspace may do
 * @param budgetMillis how long a call may block
 * @param kernelTransport a name of the operator's; null for a kernel on this host
 * @param parentId null for a session of its own
 */
public record NewSession(
        String cwd,
        Truncation truncation,
        long budgetMillis,
        String kernelTransport,
        String parentId,
        WorkspaceMode workspace) {
    /** Milliseconds that a call blocks at most unless the session says otherwise. Source: an own choice. */
    public static final long DEFAULT_BUDGET_MILLIS = 30_000;

    /** The longest. Source: an own choice, under the time that proxies keep an idle request. */
    public static final long MOST_BUDGET_MILLIS = 600_000;
}
