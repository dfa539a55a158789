package org.berth.credential.service;

import java.nio.file.Files;
import java.nio.file.Path;
import org.berth.driver.AgentDriver;
import org.berth.driver.DriverDefinition;
import org.berth.host.HostPolicy;
import org.berth.host.HostPolicy.CredentialKind;
import org.berth.host.service.Fetched;
import org.berth.host.service.NoFollowFiles;
import org.berth.host.service.SecretReader;
import org.berth.placement.PrepareRequest;

/** Whether a program will find a login, by existence and metadata; login bytes stay unopened. Source: placement.md. */
final class LoginEvidence {
    static final String LOGIN_REQUIRED = "LOGIN_REQUIRED";

    private LoginEvidence() {}

    static boolean isMissing(
            SecretReader secrets,
            HostPolicy host,
            HostPolicy.Policy policy,
            PrepareRequest request,
            AgentDriver driver,
            Path retainedHome) {
        if (driver == null || driver.definition().loginFile() == null) {
            return false;
        }
        boolean projected = FileProjection.of(host, request)
                .map(projection -> isThere(secrets, projection.credential()))
                .orElse(false);
        return !projected
                && !hasKey(secrets, host, policy, request)
                && !homeHasLogin(secrets, request, driver.definition().loginFile(), retainedHome);
    }

    /** Whether a credential of kind environment is given, the gateway's tokens apart. */
    static boolean hasKey(SecretReader secrets, HostPolicy host, HostPolicy.Policy policy, PrepareRequest request) {
        return request.projections().stream()
                .filter(id -> !id.equals(policy.agent().toolsCredential())
                        && !id.equals(policy.agent().hooksCredential()))
                .map(host.credentials()::get)
                .anyMatch(credential -> credential != null
                        && credential.kind() == CredentialKind.ENVIRONMENT
                        && isThere(secrets, credential));
    }

    private static boolean isThere(SecretReader secrets, HostPolicy.Credential credential) {
        return secrets.look(credential.source(), CredentialBroker.MOST_LOGIN_BYTES) instanceof Fetched.Given;
    }

    private static boolean homeHasLogin(
            SecretReader secrets, PrepareRequest request, DriverDefinition.LoginFile login, Path retainedHome) {
        if (request.sessionRef() != null) {
            return retainedHome != null && isFile(retainedHome, login.path());
        }
        // A home without a session is the operator's own, which only a policy with allow_host_home admits, or a new
        // one. The
        // program follows links there by itself.
        return request.launch().homeRef() != null
                && login.sources().stream()
                        .map(secrets::locate)
                        .anyMatch(at -> Files.exists(at.base().resolve(at.relative())));
    }

    private static boolean isFile(Path home, String path) {
        try {
            return NoFollowFiles.exists(home, path, CredentialBroker.MOST_LOGIN_BYTES, false);
        } catch (NoFollowFiles.UnusableFileException e) {
            return false;
        }
    }
}
