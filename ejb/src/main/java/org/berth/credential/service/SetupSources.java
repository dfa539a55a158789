package org.berth.credential.service;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.berth.driver.FileReferences;
import org.berth.driver.SetupFile;
import org.berth.host.SecretBytes;
import org.berth.host.service.NoFollowFiles;
import org.berth.host.service.SecretReader;
import org.berth.problem.BerthException;
import org.berth.problem.ProblemCode;

/**
 * The program's state files that the driver declares, from the operator's home: read only for a launch whose policy
 * projects that home's login. Unlisted files are never looked at. Source: placement.md, Provider homes.
 */
final class SetupSources {
    private static final String REFERENCE = "{file:";

    private final SecretReader secrets;
    private final ProviderHome home;

    SetupSources(SecretReader secrets, ProviderHome home) {
        this.secrets = secrets;
        this.home = home;
    }

    /**
     * What is written, by its path below the private home.
     *
     * @param projected whether the launch has a login projection
     * @param loginPresent whether its source is there
     * @throws BerthException DENIED
     */
    Map<String, SecretBytes> read(boolean projected, boolean loginPresent) {
        Map<String, SecretBytes> found = new LinkedHashMap<>();
        for (SetupFile file : home.definition().setup()) {
            content(file, projected).ifPresent(bytes -> found.put(file.path(), bytes));
        }
        FileReferences references = new FileReferences(
                home.definition(), secrets.home(), home.home(), path -> text(path, found, loginPresent));
        Map<String, SecretBytes> ready = new LinkedHashMap<>();
        found.forEach((path, bytes) -> ready.put(path, resolved(references, path, bytes)));
        return ready;
    }

    private Optional<SecretBytes> content(SetupFile file, boolean projected) {
        if (file.content() != null) {
            return Optional.of(Initialisers.bytes(file.content()));
        }
        Optional<SecretBytes> source = Optional.empty();
        if (projected) {
            try {
                source = NoFollowFiles.read(secrets.home(), file.path(), CredentialBroker.MOST_LOGIN_BYTES, false)
                        .map(SecretBytes::new);
            } catch (NoFollowFiles.UnusableFileException e) {
                throw new BerthException(
                        ProblemCode.DENIED,
                        "the setup file " + file.path() + " of driver "
                                + home.definition().name() + " " + e.getMessage(),
                        e);
            }
        }
        return source.isEmpty() && file.compositionBase() ? Optional.of(Initialisers.bytes("")) : source;
    }

    private Optional<String> text(String path, Map<String, SecretBytes> found, boolean loginPresent) {
        if (home.definition().loginFile() != null
                && path.equals(home.definition().loginFile().path())) {
            return loginPresent ? Optional.of("") : Optional.empty();
        }
        return Optional.ofNullable(found.get(path)).map(bytes -> bytes.text().orElse(""));
    }

    private static SecretBytes resolved(FileReferences references, String path, SecretBytes bytes) {
        return bytes.text()
                .filter(text -> text.contains(REFERENCE))
                .map(text -> Initialisers.bytes(references.resolve(path, text)))
                .orElse(bytes);
    }
}
