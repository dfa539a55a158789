package org.berth.placement.service;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.berth.problem.BerthException;

/** Whether what the server stands on answers now. */
@ApplicationScoped
public class HostHealth {
    private static final Logger LOG = Logger.getLogger(HostHealth.class.getName());

    @Inject
    private ProcessesGateway gateway;

    @Inject
    private AttemptReader reader;

    public boolean supervisorAnswers() {
        try {
            gateway.requireAvailable();
            return true;
        } catch (BerthException e) {
            LOG.log(Level.FINE, "no supervisor", e);
            return false;
        }
    }

    public boolean databaseAnswers() {
        try {
            reader.ping();
            return true;
        } catch (RuntimeException e) {
            LOG.log(Level.WARNING, "the database does not answer", e);
            return false;
        }
    }
}
