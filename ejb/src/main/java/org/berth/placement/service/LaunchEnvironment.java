package org.berth.placement.service;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.berth.host.HostPolicy;
import org.berth.host.SecretSource;
import org.berth.host.service.CredentialStoreReader;
import org.berth.host.service.Host;
import org.berth.placement.PrepareRequest;
import org.berth.problem.BerthException;
import org.berth.problem.ProblemCode;

/**
 * The child's whole environment: what the policy and the request say, the references that the host resolves, HOME and
 * PATH. No sentence of this class ever holds a value. Source: placement.md, Start step 7.
 */
@ApplicationScoped
public class LaunchEnvironment {
    private static final Set<PosixFilePermission> OTHERS = EnumSet.of(
            PosixFilePermission.GROUP_READ,
            PosixFilePermission.GROUP_WRITE,
            PosixFilePermission.OTHERS_READ,
            PosixFilePermission.OTHERS_WRITE);
    private static final int MAX_SECRET_BYTES = 16_384;

    @Inject
    private Host host;

    @Inject
    private CredentialStoreReader credentialStore;

    /** @throws BerthException DENIED when a reference is gone, CONFLICT when two sources name one variable */
    Map<String, String> of(PrepareRequest request, Path home) {
        HostPolicy policy = host.policy();
        Map<String, String> variables = new LinkedHashMap<>();
        policy.policies().get(request.policyRef()).environment().forEach((name, value) -> put(variables, name, value));
        request.environment().forEach((name, value) -> put(variables, name, value));
        request.environmentRefs().forEach((name, reference) -> put(variables, name, secret(policy, name, reference)));
        put(variables, "HOME", home.toString());
        put(variables, "PATH", String.join(":", policy.path()));
        return variables;
    }

    private static void put(Map<String, String> variables, String name, String value) {
        if (variables.putIfAbsent(name, value) != null) {
            throw BerthException.conflict(
                    "the variable " + name + " has two sources; precedence is not used to hide it");
        }
    }

    private String secret(HostPolicy policy, String name, String reference) {
        SecretSource source = policy.references().get(reference);
        String value = switch (source) {
            case null -> null;
            case SecretSource.FromEnvironment from -> System.getenv(from.name());
            case SecretSource.FromFile from -> file(from.path());
            case SecretSource.FromCredentialStore from ->
                credentialStore.read(from.store(), from.alias()).orElse(null);
        };
        if (value == null
                || value.isEmpty()
                || value.indexOf('\0') >= 0
                || value.getBytes(StandardCharsets.UTF_8).length > MAX_SECRET_BYTES) {
            throw new BerthException(ProblemCode.DENIED, "the host cannot supply environment_refs." + name + " now");
        }
        return value;
    }

    /** The text of a private regular file, without its last line end; null when it is not such a file. */
    private static String file(String path) {
        Path file = Path.of(path);
        try {
            if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)
                    || Files.getPosixFilePermissions(file, LinkOption.NOFOLLOW_LINKS).stream()
                            .anyMatch(OTHERS::contains)
                    || Files.size(file) > MAX_SECRET_BYTES) {
                return null;
            }
            return Files.readString(file).stripTrailing();
        } catch (IOException e) {
            // A reason would tell of the file; the caller learns the variable's name only.
            return null;
        }
    }
}
