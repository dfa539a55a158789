package org.berth.engine;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Map;
import org.berth.problem.BerthException;
import org.berth.problem.ProblemCode;

/**
 * The socket of this user's rootless engine.
 *
 * @param device the file system that holds the socket
 * @param host this host's name
 */
public record EngineSocket(Path path, long device, long inode, int uid, String host) {
    private static final int TYPE = 0170000;
    private static final int SOCKET = 0140000;

    /**
     * Looks at {@code path}, without connecting.
     *
     * @param uid who must own it
     * @throws BerthException environment_engine_unsupported for root or a relative path, environment_engine_changed for a
     *     link, for what is no socket and for one of somebody else, environment_unconfirmed when nothing is there
     */
    public static EngineSocket look(String path, int uid, String host) {
        if (uid == 0 || !path.startsWith("/")) {
            throw new BerthException(
                    ProblemCode.ENVIRONMENT_ENGINE_UNSUPPORTED,
                    "Only the absolute socket of an ordinary user's Podman is used; the server runs as "
                            + (uid == 0 ? "root." : "user " + uid + "."));
        }
        Path socket = Path.of(path);
        try {
            if (!socket.toRealPath().equals(socket)) {
                throw changed(path, "is reached through a symbolic link");
            }
            Map<String, Object> found =
                    Files.readAttributes(socket, "unix:mode,uid,dev,ino", LinkOption.NOFOLLOW_LINKS);
            if (((Integer) found.get("mode") & TYPE) != SOCKET) {
                throw changed(path, "is no socket");
            }
            if ((Integer) found.get("uid") != uid) {
                throw changed(path, "does not belong to the server's user " + uid);
            }
            return new EngineSocket(
                    socket,
                    ((Number) found.get("dev")).longValue(),
                    ((Number) found.get("ino")).longValue(),
                    uid,
                    host);
        } catch (NoSuchFileException e) {
            throw new BerthException(
                    ProblemCode.ENVIRONMENT_UNCONFIRMED,
                    "No engine listens at " + path
                            + "; start it, for example with systemctl --user start podman.socket.",
                    e);
        } catch (IOException e) {
            throw new BerthException(
                    ProblemCode.ENVIRONMENT_UNCONFIRMED, "The engine's socket " + path + " cannot be looked at.", e);
        }
    }

    private static BerthException changed(String path, String fault) {
        return new BerthException(
                ProblemCode.ENVIRONMENT_ENGINE_CHANGED, "The engine's socket " + path + " " + fault + ".");
    }
}
