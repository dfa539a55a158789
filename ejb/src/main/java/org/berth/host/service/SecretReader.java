package org.berth.host.service;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import org.berth.host.SecretSource;

/** Fetches secrets from the sources that the host policy names. Never says why one is not there. */
@ApplicationScoped
public class SecretReader {
    private static final Set<PosixFilePermission> OTHERS = EnumSet.of(
            PosixFilePermission.GROUP_READ,
            PosixFilePermission.GROUP_WRITE,
            PosixFilePermission.OTHERS_READ,
            PosixFilePermission.OTHERS_WRITE);
    private static final int MAX_SECRET_BYTES = 16_384;

    @Inject
    private CredentialStoreReader credentialStore;

    /** Text without NUL of 1 to 16384 bytes, or nothing. A file must be private and loses its last line end. */
    public Optional<String> read(SecretSource source) {
        String value = switch (source) {
            case SecretSource.FromEnvironment from -> System.getenv(from.name());
            case SecretSource.FromFile from -> file(from.path());
            case SecretSource.FromCredentialStore from ->
                credentialStore.read(from.store(), from.alias()).orElse(null);
        };
        return Optional.ofNullable(value)
                .filter(text -> !text.isEmpty()
                        && text.indexOf('\0') < 0
                        && text.getBytes(StandardCharsets.UTF_8).length <= MAX_SECRET_BYTES);
    }

    private static String file(String path) {
        Path file = path.startsWith("~/") ? Path.of(System.getProperty("user.home"), path.substring(2)) : Path.of(path);
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
