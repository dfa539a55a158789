package org.berth.harness.service;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Inject;
import java.io.IOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.function.Predicate;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.berth.harness.session.SessionState;
import org.berth.host.service.Host;
import org.berth.placement.service.LogsExpired;
import org.berth.problem.BerthException;

/**
 * Removes the whole outputs of the cells, and the saved names, of sessions that ended before the retention of logs; outputs of
 * commands are logs themselves. Source: harness.md, S2: past the bound the full output goes to an artifact file.
 */
@ApplicationScoped
public class CellOutputRetention {
    private static final Logger LOG = Logger.getLogger(CellOutputRetention.class.getName());

    /** Whole outputs of cells, and the names of the last kernel. */
    private static final String EXPIRING =
            "{cell-*.out," + NamespaceSnapshot.FILE + "*," + NamespaceSnapshot.UNFINISHED + "}";

    @Inject
    private Host host;

    @Inject
    private SessionChanges changes;

    /** On the sweep's thread. */
    void removeExpired(@Observes LogsExpired expired) {
        try {
            removeExpired(
                    host.stateRoot().resolve("harness"),
                    sessionId -> changes.read(stores -> stores.sessions().find(sessionId))
                            .map(session -> session.state() == SessionState.ENDED
                                    && session.updatedAt().isBefore(expired.oldest()))
                            .orElse(true));
        } catch (IOException | BerthException e) {
            LOG.log(
                    Level.WARNING,
                    "the outputs of ended sessions could not be looked at; the next look is in an hour",
                    e);
        }
    }

    /**
     * Removes the outputs and the saved names of every session that {@code isOver}, and its directory once nothing else is in it.
     *
     * @param sessions holds a directory for each session; need not be there
     */
    static void removeExpired(Path sessions, Predicate<String> isOver) throws IOException {
        try (DirectoryStream<Path> directories =
                Files.newDirectoryStream(sessions, each -> Files.isDirectory(each, LinkOption.NOFOLLOW_LINKS))) {
            for (Path directory : directories) {
                if (isOver.test(directory.getFileName().toString())) {
                    removeFiles(directory);
                }
            }
        } catch (NoSuchFileException e) {
            LOG.log(Level.FINEST, "no session was ever open", e);
        }
    }

    private static void removeFiles(Path directory) throws IOException {
        try (DirectoryStream<Path> files = Files.newDirectoryStream(directory, EXPIRING)) {
            for (Path file : files) {
                Files.deleteIfExists(file);
            }
        }
        try {
            Files.deleteIfExists(directory);
        } catch (DirectoryNotEmptyException e) {
            LOG.log(Level.FINEST, directory + " holds more than that", e);
        }
    }
}
