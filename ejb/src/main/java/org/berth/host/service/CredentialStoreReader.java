package org.berth.host.service;

import jakarta.enterprise.context.ApplicationScoped;
import java.util.Optional;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.jboss.as.server.CurrentServiceContainer;
import org.jboss.msc.service.ServiceController;
import org.jboss.msc.service.ServiceName;
import org.wildfly.security.credential.PasswordCredential;
import org.wildfly.security.credential.store.CredentialStore;
import org.wildfly.security.credential.store.CredentialStoreException;
import org.wildfly.security.password.interfaces.ClearPassword;

/** Reads a secret from a credential store that the administrator defined in Elytron. */
@ApplicationScoped
public class CredentialStoreReader {
    private static final Logger LOG = Logger.getLogger(CredentialStoreReader.class.getName());
    private static final ServiceName STORES = ServiceName.parse("org.wildfly.security.credential-store");

    /** The clear text of {@code alias}; empty when the store or the alias is not there. */
    public Optional<String> read(String store, String alias) {
        try {
            CredentialStore opened = opened(store);
            return Optional.ofNullable(opened == null ? null : opened.retrieve(alias, PasswordCredential.class))
                    .map(found -> found.getPassword(ClearPassword.class))
                    .map(password -> new String(password.getPassword()));
        } catch (CredentialStoreException e) {
            return unreadable(store, e);
        }
    }

    /** Whether the store has a password under {@code alias}, which stays closed. */
    public boolean exists(String store, String alias) {
        try {
            CredentialStore opened = opened(store);
            return opened != null && opened.exists(alias, PasswordCredential.class);
        } catch (CredentialStoreException e) {
            return unreadable(store, e).isPresent();
        }
    }

    // The server offers no other way to a credential store from a deployment than its service's value.
    @SuppressWarnings("deprecation")
    private static CredentialStore opened(String store) {
        ServiceController<?> service =
                CurrentServiceContainer.getServiceContainer().getService(STORES.append(store));
        return service != null && service.getValue() instanceof CredentialStore opened ? opened : null;
    }

    private static Optional<String> unreadable(String store, CredentialStoreException e) {
        LOG.log(Level.WARNING, "the credential store " + store + " cannot be read", e);
        return Optional.empty();
    }
}
