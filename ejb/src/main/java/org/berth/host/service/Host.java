package org.berth.host.service;

import jakarta.annotation.PostConstruct;
import jakarta.ejb.ConcurrencyManagement;
import jakarta.ejb.ConcurrencyManagementType;
import jakarta.ejb.Singleton;
import jakarta.ejb.Startup;
import jakarta.ejb.TransactionAttribute;
import jakarta.ejb.TransactionAttributeType;
import jakarta.enterprise.event.Event;
import jakarta.inject.Inject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.UUID;
import java.util.logging.Logger;
import org.berth.access.service.OwnerTokenIssue;
import org.berth.files.PrivateFiles;
import org.berth.host.HostPolicy;
import org.berth.placement.Attempt;
import org.berth.placement.PlacementLayout;
import org.berth.problem.BerthException;

/**
 * This host: where its state lies, who it is, and which policy is in force. Built once at the server's start; the
 * policy may be read again while it runs.
 */
@Singleton
@Startup
@ConcurrencyManagement(ConcurrencyManagementType.BEAN)
@TransactionAttribute(TransactionAttributeType.NOT_SUPPORTED)
public class Host {
    private static final Logger LOG = Logger.getLogger(Host.class.getName());
    private static final String ID_FILE = "host.id";
    private static final String POLICY_FILE = "host.yaml";

    @Inject
    private OwnerTokenIssue ownerToken;

    @Inject
    private Event<PolicyReloaded> reloads;

    private Path stateRoot;
    private PlacementLayout layout;
    private String hostId;
    private volatile HostPolicy policy;

    @PostConstruct
    void start() {
        String home = System.getProperty("berth.home");
        if (home == null) {
            throw new IllegalStateException("the system property berth.home names the state root; it is not set");
        }
        stateRoot = StateRoot.verified(Path.of(home));
        try {
            layout = new PlacementLayout(PrivateFiles.directory(stateRoot.resolve("placement")));
            // The supervisor makes each attempt's log directory in it, whose parent it does not invent.
            PrivateFiles.directory(layout.root().resolve("output"));
            Path idFile = stateRoot.resolve(ID_FILE);
            if (Files.notExists(idFile)) {
                PrivateFiles.write(idFile, UUID.randomUUID() + "\n");
            }
            hostId = Files.readString(idFile).strip();
            Path policyFile = stateRoot.resolve(POLICY_FILE);
            if (Files.notExists(policyFile)) {
                HostPolicyFile.writeDefault(policyFile);
            }
        } catch (IOException e) {
            throw new IllegalStateException("the state root " + stateRoot + " cannot be written", e);
        }
        policy = HostPolicyLoader.load(stateRoot.resolve(POLICY_FILE));
        ownerToken.ensure(stateRoot);
        LOG.info("Berth's host " + hostId + " keeps its state in " + stateRoot);
    }

    /** The physical path of the state root. */
    public Path stateRoot() {
        return stateRoot;
    }

    /** Where the homes, sessions and logs of placement lie. */
    public PlacementLayout layout() {
        return layout;
    }

    /** This host's random name, made at the first start. */
    public String hostId() {
        return hostId;
    }

    /** The policy in force. */
    public HostPolicy policy() {
        return policy;
    }

    /** Reads host.yaml again; a file with a fault leaves the old policy in force. @throws BerthException INVALID */
    public HostPolicy reload() {
        HostPolicy fresh = HostPolicyLoader.load(stateRoot.resolve(POLICY_FILE));
        policy = fresh;
        reloads.fire(new PolicyReloaded(fresh));
        return fresh;
    }

    /** @throws BerthException UNAVAILABLE for an attempt whose processes another host owns */
    public void requireOurs(Attempt attempt) {
        if (!hostId.equals(attempt.hostId())) {
            throw BerthException.unavailable(
                    "the attempt belongs to host " + attempt.hostId() + "; send the request to that host's server");
        }
    }
}
