package org.berth.access.service;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.nio.file.Path;
import java.util.logging.Logger;
import org.berth.access.security.OwnerTokenFile;

/** Gives who can read the state root a first token. */
@ApplicationScoped
public class OwnerTokenIssue {
    private static final Logger LOG = Logger.getLogger(OwnerTokenIssue.class.getName());

    @Inject
    private AccessLedger ledger;

    /** Idempotent. @throws org.berth.problem.BerthException STORAGE when the file cannot be written */
    public void ensure(Path stateRoot) {
        if (OwnerTokenFile.ensure(stateRoot, ledger.tokensOf(OwnerTokenFile.OWNER_ID), ledger::insert)) {
            LOG.info("a first token was written to " + stateRoot.resolve(OwnerTokenFile.NAME));
        }
    }
}
