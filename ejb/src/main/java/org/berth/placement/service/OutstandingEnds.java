package org.berth.placement.service;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.berth.host.HostPolicy;
import org.berth.host.service.Host;
import org.berth.placement.Attempt;
import org.berth.preparer.service.Preparers;
import org.berth.problem.BerthException;

/**
 * The sweep's part in what preparers made: an attempt that ended gets its cleanup although nobody asked for one, once its
 * processes are proven gone. Source: placement.md, Preparers.
 */
@ApplicationScoped
public class OutstandingEnds {
    private static final Logger LOG = Logger.getLogger(OutstandingEnds.class.getName());

    @Inject
    private Host host;

    @Inject
    private Preparers preparers;

    @Inject
    private CleanupService cleanups;

    /** As many attempts as one sweep looks at; what cannot be settled now is looked at again. */
    void settle() throws InterruptedException {
        HostPolicy.Sweep figures = host.policy().sweep();
        for (Attempt attempt : preparers.outstanding(host.hostId(), figures.bound())) {
            if (!settle(attempt, figures)) {
                preparers.postpone(attempt);
            }
        }
    }

    private boolean settle(Attempt attempt, HostPolicy.Sweep figures) throws InterruptedException {
        try {
            return cleanups.settle(attempt)
                    .toCompletableFuture()
                    .get(figures.reconcileTimeout().toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException | TimeoutException | BerthException e) {
            LOG.log(Level.FINE, "what preparers made is not settled yet", e);
            return false;
        }
    }
}
