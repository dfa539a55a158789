package org.berth.process.adapter;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.attribute.UserPrincipal;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import jdk.net.ExtendedSocketOptions;

/**
 * The private directory of the supervisors' sockets. It is used only if it is a real directory of this user that nobody
 * else can write, and a socket only if its peer is this user. Source: harness.md, Local access.
 */
final class SocketDirectory {
    private static final String PREFIX = "supervisor-";
    private static final String SUFFIX = ".sock";

    /** Bits of a file's mode. Source: POSIX sys/stat.h (S_IWGRP and S_IWOTH, S_ISVTX). */
    private static final int OTHERS_WRITE = 0022;

    private static final int STICKY = 01000;

    /** Bytes of a socket's path. Source: unix(7), sun_path is 108 bytes with its end. */
    private static final int MAX_SOCKET_PATH = 107;

    private final Path directory;
    private final long uid;
    private final PeerLookup peers;

    /** Who is at the other end of a connected channel. */
    interface PeerLookup {
        UserPrincipal user(SocketChannel channel) throws IOException;
    }

    /** {@code uid}: whose directory and peers are trusted. */
    SocketDirectory(Path directory, long uid) {
        this(
                directory,
                uid,
                channel -> channel.getOption(ExtendedSocketOptions.SO_PEERCRED).user());
    }

    SocketDirectory(Path directory, long uid, PeerLookup peers) {
        this.directory = directory;
        this.uid = uid;
        this.peers = peers;
    }

    /** This process' user number. */
    static long ownUid() throws IOException {
        try (Stream<String> lines = Files.lines(Path.of("/proc/self/status"))) {
            return lines.filter(line -> line.startsWith("Uid:"))
                    .map(line -> Long.parseLong(line.split("\\s+")[2]))
                    .findFirst()
                    .orElseThrow(() -> new IOException("/proc/self/status has no Uid line"));
        }
    }

    Path path() {
        return directory;
    }

    Path socket(String build) {
        return directory.resolve(PREFIX + build.substring(0, 8) + SUFFIX);
    }

    /** The first 8 digits of the build that listens on {@code socket}. */
    static String build(Path socket) {
        String name = socket.getFileName().toString();
        return name.substring(PREFIX.length(), name.length() - SUFFIX.length());
    }

    /** Makes the directory (and its missing parent) with mode 0700 if it is absent, and checks both. */
    void prepare() throws IOException {
        int length = socket("00000000").toString().getBytes(StandardCharsets.UTF_8).length;
        if (length > MAX_SOCKET_PATH) {
            throw new LocalAccessException(
                    directory,
                    "is too long for a socket's path (" + length + " bytes with the name, at most " + MAX_SOCKET_PATH
                            + ")",
                    "Set socketDirectory to a shorter path");
        }
        Path parent = directory.getParent();
        if (!Files.exists(parent, LinkOption.NOFOLLOW_LINKS)) {
            create(parent);
        }
        checkParent(parent);
        if (!Files.exists(directory, LinkOption.NOFOLLOW_LINKS)) {
            create(directory);
        }
        check(directory);
    }

    private static void create(Path path) throws IOException {
        try {
            Files.createDirectory(
                    path, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        } catch (FileAlreadyExistsException e) {
            // Somebody was faster; the check decides whether it may be used.
            return;
        }
    }

    /** A directory of the system (root's, sticky where others may write) may hold ours; any other must be ours too. */
    private void checkParent(Path parent) throws IOException {
        Path real = parent.toRealPath();
        int mode = (Integer) Files.getAttribute(real, "unix:mode");
        long owner = ((Number) Files.getAttribute(real, "unix:uid")).longValue();
        boolean guarded = (mode & OTHERS_WRITE) == 0 || (mode & STICKY) != 0;
        if (owner != 0 || !guarded) {
            check(parent);
        }
    }

    private void check(Path path) throws IOException {
        PosixFileAttributes attributes =
                Files.readAttributes(path, PosixFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
        if (!attributes.isDirectory()) {
            throw new LocalAccessException(
                    path, "is not a real directory", "Remove it, or set socketDirectory to another path");
        }
        long owner = ((Number) Files.getAttribute(path, "unix:uid", LinkOption.NOFOLLOW_LINKS)).longValue();
        if (owner != uid) {
            throw new LocalAccessException(
                    path,
                    "belongs to user " + owner + ", not to user " + uid,
                    "Remove it, or set socketDirectory to a directory of your own");
        }
        Set<PosixFilePermission> permissions = attributes.permissions();
        if (permissions.contains(PosixFilePermission.GROUP_WRITE)
                || permissions.contains(PosixFilePermission.OTHERS_WRITE)) {
            throw new LocalAccessException(
                    path,
                    "can be written by others (mode " + PosixFilePermissions.toString(permissions) + ")",
                    "Run chmod 700 on it after checking what it holds");
        }
    }

    /** Every supervisor's socket that lies here now. */
    List<Path> sockets() throws IOException {
        if (!Files.isDirectory(directory, LinkOption.NOFOLLOW_LINKS)) {
            return List.of();
        }
        try (Stream<Path> entries = Files.list(directory)) {
            return entries.filter(entry -> entry.getFileName().toString().matches("supervisor-[0-9a-f]{8}\\.sock"))
                    .sorted()
                    .toList();
        }
    }

    /** Connects and checks directory and peer; not a byte is sent. The channel blocks. */
    SocketChannel connect(Path socket) throws IOException {
        check(directory);
        UserPrincipal own = Files.getOwner(directory, LinkOption.NOFOLLOW_LINKS);
        SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX);
        try {
            channel.connect(UnixDomainSocketAddress.of(socket));
            UserPrincipal peer = peers.user(channel);
            if (!peer.equals(own)) {
                throw new LocalAccessException(
                        socket,
                        "is served by user " + peer.getName() + ", not by " + own.getName(),
                        "End that process and remove the socket");
            }
            return channel;
        } catch (IOException | RuntimeException e) {
            channel.close();
            throw e;
        }
    }
}
