package org.berth.harness.service;

import jakarta.annotation.PostConstruct;
import jakarta.ejb.Singleton;
import jakarta.ejb.Startup;
import jakarta.ejb.TransactionAttribute;
import jakarta.ejb.TransactionAttributeType;
import jakarta.inject.Inject;

/** Has what hand-backs of an ended server put aside removed from the boot on, not from the first workspace on. */
@Singleton
@Startup
@TransactionAttribute(TransactionAttributeType.NOT_SUPPORTED)
public class DiscardedWorkspaces {
    @Inject
    private Workspaces workspaces;

    @PostConstruct
    void start() {
        workspaces.component();
    }
}
