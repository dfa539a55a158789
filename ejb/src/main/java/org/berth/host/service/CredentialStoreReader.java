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
    // The server offers no other way to a credential store from a deployment than its service's value.
    @SuppressWarnings("deprecation")
    public Optional<String> read(String store, String alias) {
        ServiceController<?> service =
                CurrentServiceContainer.getServiceContainer().getService(STORES.append(store));
        if (service == null || !(service.getValue() instanceof CredentialStore opened)) {
            return Optional.empty();
        }
        try {
            PasswordCredential credential = opened.retrieve(alias, PasswordCredential.class);
            return Optional.ofNullable(credential)
                    .map(found -> found.getPassword(ClearPassword.class))
                    .map(password -> new String(password.getPassword()));
        } catch (CredentialStoreException e) {
            LOG.log(Level.WARNING, "the credential store " + store + " cannot be read", e);
            return Optional.empty();
        }
    }
}
