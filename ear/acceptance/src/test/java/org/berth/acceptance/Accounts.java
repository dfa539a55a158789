package org.berth.acceptance;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.stream.Stream;

/**
 * Which user the server runs as. Tests that run as root let it run as an ordinary user where that user can reach the
 * assembled server and its state root, else as root; tests of an ordinary user let it run as themselves.
 */
final class Accounts {
    /** The user that owns nothing (nobody). Source: the kernel's overflow uid, /proc/sys/kernel/overflowuid. */
    private static final int ORDINARY = 65_534;

    private static final boolean DROPS = drops();

    private Accounts() {}

    /** What goes before a command so that it runs as the server's user. */
    static List<String> prefix() {
        return DROPS
                ? List.of("setpriv", "--reuid=" + ORDINARY, "--regid=" + ORDINARY, "--clear-groups", "--")
                : List.of();
    }

    static int serverUser() {
        return DROPS ? ORDINARY : uid();
    }

    static int uid() {
        try {
            return (Integer) Files.getAttribute(Path.of("/proc/self"), "unix:uid");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Gives {@code path} to the server's user, with everything below it. */
    static Path give(Path path) {
        if (DROPS) {
            try (Stream<Path> tree = Files.walk(path)) {
                for (Path each : (Iterable<Path>) tree::iterator) {
                    Files.setAttribute(each, "unix:uid", ORDINARY, LinkOption.NOFOLLOW_LINKS);
                    Files.setAttribute(each, "unix:gid", ORDINARY, LinkOption.NOFOLLOW_LINKS);
                }
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        return path;
    }

    /** A new directory of the server's user below {@code parent}. */
    static Path directory(Path parent, String name) {
        try {
            Files.createDirectories(parent);
            Path made = Files.createDirectory(
                    parent.resolve(name),
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
            return give(made);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static boolean drops() {
        if (uid() != 0) {
            return false;
        }
        List<String> look = List.of(
                "setpriv",
                "--reuid=" + ORDINARY,
                "--regid=" + ORDINARY,
                "--clear-groups",
                "--",
                "sh",
                "-c",
                "test -x \"$1\" && test -x \"$2\" && test -x \"$3\"",
                "sh",
                BerthServer.DISTRIBUTION.resolve("bin/berth-server").toString(),
                BerthServer.DIRECTORY.toString(),
                System.getProperty("java.home") + "/bin/java");
        try {
            Files.createDirectories(BerthServer.DIRECTORY);
            return new ProcessBuilder(look).start().waitFor() == 0;
        } catch (IOException e) {
            // No setpriv on this machine.
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
