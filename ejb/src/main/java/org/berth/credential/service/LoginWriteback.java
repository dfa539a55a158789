package org.berth.credential.service;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.io.IOException;
import java.util.Optional;
import org.berth.harness.tree.Directory;
import org.berth.host.HostPolicy;
import org.berth.host.SecretBytes;
import org.berth.host.SecretSource;
import org.berth.host.service.Fetched;
import org.berth.host.service.NoFollowFiles;
import org.berth.host.service.SecretReader;
import org.berth.placement.PrepareRequest;

/**
 * Returns a login that a program refreshed to the host file it came from, once the exit is proven and the host allows it.
 * The source is replaced only while it still holds what the home was given: two homes never overwrite each other. Source:
 * placement.md, login write-back after exit.
 */
@ApplicationScoped
public class LoginWriteback {
    private final Object oneAtATime = new Object();

    @Inject
    private SecretReader secrets;

    public LoginWriteback() {}

    LoginWriteback(SecretReader secrets) {
        this.secrets = secrets;
    }

    /**
     * Writes the login back, or says why not; a repeated call finds nothing to do. The caller has proven the exit.
     *
     * @return empty when the host does not write logins back, or the request projects none
     * @throws org.berth.problem.BerthException STORAGE when the marker beside the home cannot be used
     */
    public Optional<LoginOutcome> writeBack(HostPolicy host, PrepareRequest request, ProviderHome home) {
        if (!host.providerLoginWriteback()) {
            return Optional.empty();
        }
        return FileProjection.of(host, request).map(projection -> {
            synchronized (oneAtATime) {
                return writeBack(projection, host, request, home);
            }
        });
    }

    private LoginOutcome writeBack(
            FileProjection projection, HostPolicy host, PrepareRequest request, ProviderHome home) {
        String id = projection.id();
        HostPolicy.Policy policy = host.policies().get(request.policyRef());
        if (policy == null || !policy.credentials().contains(id)) {
            return LoginOutcome.kept(id, "the policy no longer admits the projection");
        }
        if (!(projection.credential().source() instanceof SecretSource.FromFile source)) {
            return LoginOutcome.kept(id, "the login's source is no file");
        }
        ProviderMarker marker = ProviderMarker.read(home.marker()).orElse(null);
        if (marker == null || marker.sourceDigest() == null || !id.equals(marker.projection())) {
            return LoginOutcome.kept(id, "the home was given no login");
        }
        byte[] refreshed;
        try {
            refreshed = NoFollowFiles.read(
                            home.home(), home.definition().loginFile().path(), CredentialBroker.MOST_LOGIN_BYTES, false)
                    .orElse(null);
        } catch (NoFollowFiles.UnusableFileException e) {
            return LoginOutcome.kept(id, "the home's login " + e.getMessage());
        }
        if (refreshed == null || refreshed.length == 0) {
            return LoginOutcome.kept(id, "the home's login is " + (refreshed == null ? "gone" : "empty"));
        }
        SecretBytes login = new SecretBytes(refreshed);
        if (login.digest().equals(marker.sourceDigest())) {
            return LoginOutcome.kept(id, "the home's login is unchanged");
        }
        return replace(id, source, login, marker, home);
    }

    private LoginOutcome replace(
            String id, SecretSource.FromFile source, SecretBytes login, ProviderMarker marker, ProviderHome home) {
        SecretReader.Located at = secrets.locate(source.path());
        try (Directory base = Directory.open(at.base());
                Directory parent = base.descend(NoFollowFiles.parent(at.relative()))) {
            // Read last of all, so that nothing but the rename lies between the comparison and the replacement.
            switch (secrets.fetch(source, CredentialBroker.MOST_LOGIN_BYTES)) {
                case Fetched.Absent absent -> {
                    return LoginOutcome.kept(id, "the login's source is gone");
                }
                case Fetched.Unusable(String why) -> {
                    return LoginOutcome.kept(id, "the login's source " + why);
                }
                case Fetched.Given(SecretBytes there) -> {
                    if (there.digest().equals(login.digest())) {
                        marker.withSource(login.digest()).write(home.marker());
                        return LoginOutcome.kept(id, "the login's source holds it already");
                    }
                    if (!there.digest().equals(marker.sourceDigest())) {
                        return LoginOutcome.kept(id, "the login's source changed meanwhile");
                    }
                }
            }
            NoFollowFiles.replace(parent, NoFollowFiles.name(at.relative()), login.copy());
            return written(id, login, marker, home, parent);
        } catch (IOException e) {
            return LoginOutcome.kept(id, "the login's source could not be replaced");
        }
    }

    private static LoginOutcome written(
            String id, SecretBytes login, ProviderMarker marker, ProviderHome home, Directory parent) {
        try {
            parent.sync();
            marker.withSource(login.digest()).write(home.marker());
            return new LoginOutcome(id, true, null);
        } catch (IOException e) {
            return new LoginOutcome(id, true, "whether the replacement lasts is not certain");
        }
    }
}
