package org.berth.activity.service;

import jakarta.annotation.PostConstruct;
import jakarta.ejb.ConcurrencyManagement;
import jakarta.ejb.ConcurrencyManagementType;
import jakarta.ejb.Singleton;
import jakarta.ejb.Startup;
import jakarta.ejb.TransactionAttribute;
import jakarta.ejb.TransactionAttributeType;
import jakarta.inject.Inject;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.SecureRandom;
import org.berth.activity.SecretToken;
import org.berth.files.PrivateFiles;
import org.berth.host.service.Host;

/**
 * The install-wide hook token: {@value #NAME} in the state root, mode 0600, made at the first start. It speaks for every
 * seat, so it is taken on the daemon listener only. Removing the file and a restart give another.
 */
@Singleton
@Startup
@ConcurrencyManagement(ConcurrencyManagementType.BEAN)
@TransactionAttribute(TransactionAttributeType.NOT_SUPPORTED)
public class HookToken {
    /** The file's name in the state root. */
    public static final String NAME = "hook.token";

    @Inject
    private Host host;

    private byte[] hash;

    @PostConstruct
    void start() {
        Path file = host.stateRoot().resolve(NAME);
        try {
            if (Files.notExists(file)) {
                PrivateFiles.write(file, SecretToken.issue(new SecureRandom(), SecretToken.INSTALL) + "\n");
            }
            hash = hash(Files.readString(file).strip());
        } catch (IOException e) {
            throw new IllegalStateException("the hook token " + file + " can be neither read nor written", e);
        }
    }

    /** Whether {@code text} is the install-wide token; takes the same time wherever they differ. */
    public boolean proves(String text) {
        return SecretToken.wellFormed(text) && MessageDigest.isEqual(hash, hash(text));
    }

    private static byte[] hash(String text) {
        return SecretToken.hash(text).getBytes(StandardCharsets.US_ASCII);
    }
}
