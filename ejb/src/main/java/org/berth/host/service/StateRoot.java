package org.berth.host.service;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import org.berth.problem.BerthException;

/**
 * The directory of everything durable. Used only when it is a real directory of this user that nobody else can write;
 * set to 0700. Source: harness.md, Local access (private_on_create).
 */
public final class StateRoot {
    private static final Set<PosixFilePermission> PRIVATE = PosixFilePermissions.fromString("rwx------");

    private StateRoot() {}

    /** The physical path. @throws BerthException UNAVAILABLE, naming path, fault and remedy */
    public static Path verified(Path given) {
        try {
            Path root = given.toRealPath();
            if (!Files.isDirectory(root, LinkOption.NOFOLLOW_LINKS)) {
                throw refused(root, "is no directory", "choose another BERTH_HOME");
            }
            Object uid = Files.getAttribute(root, "unix:uid", LinkOption.NOFOLLOW_LINKS);
            Object own = Files.getAttribute(Path.of("/proc/self"), "unix:uid");
            if (!uid.equals(own)) {
                throw refused(
                        root, "belongs to another user", "start Berth as its owner, or choose another BERTH_HOME");
            }
            Set<PosixFilePermission> mode = Files.getPosixFilePermissions(root, LinkOption.NOFOLLOW_LINKS);
            if (mode.contains(PosixFilePermission.GROUP_WRITE) || mode.contains(PosixFilePermission.OTHERS_WRITE)) {
                throw refused(root, "can be written by others", "look at what is in it, then run chmod 700 on it");
            }
            Files.setPosixFilePermissions(root, PRIVATE);
            return root;
        } catch (IOException e) {
            throw refused(given, "cannot be used", "create it as this user with mode 700");
        }
    }

    private static BerthException refused(Path path, String fault, String remedy) {
        return BerthException.unavailable("the state root " + path + " " + fault + "; " + remedy);
    }
}
