package org.berth.placement.service;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Event;
import jakarta.inject.Inject;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.berth.host.service.Host;
import org.berth.placement.Attempt;
import org.berth.placement.CleanupState;
import org.berth.placement.store.AttemptRepository;

/** Removes logs of cleaned attempts once the policy's retention is over; looks once an hour. */
@ApplicationScoped
public class LogRetention {
    private static final Logger LOG = Logger.getLogger(LogRetention.class.getName());
    private static final Duration EVERY = Duration.ofHours(1);

    @Inject
    private Host host;

    @Inject
    private AttemptRepository attempts;

    @Inject
    private AttemptHomes homes;

    @Inject
    private Event<LogsExpired> expired;

    @Inject
    private Clock clock;

    private Instant next = Instant.EPOCH;

    /** Called by the single sweep only. */
    void removeExpired() {
        Instant now = clock.instant();
        if (now.isBefore(next)) {
            return;
        }
        next = now.plus(EVERY);
        Instant oldest = now.minus(host.policy().logRetention());
        Path output = host.layout().root().resolve("output");
        try (DirectoryStream<Path> logs = Files.newDirectoryStream(output)) {
            for (Path log : logs) {
                if (Files.getLastModifiedTime(log, LinkOption.NOFOLLOW_LINKS)
                        .toInstant()
                        .isBefore(oldest)) {
                    removeIfCleaned(log.getFileName().toString());
                }
            }
        } catch (NoSuchFileException e) {
            LOG.log(Level.FINEST, "no log was ever kept", e);
        } catch (IOException e) {
            LOG.log(Level.WARNING, "the retention of logs could not read " + output, e);
        }
        expired.fire(new LogsExpired(oldest));
    }

    private void removeIfCleaned(String attemptKey) throws IOException {
        boolean mayGo = attempts.findByKey(attemptKey)
                .map(Attempt::cleanupState)
                .map(state -> state == CleanupState.COMPLETE)
                .orElse(true);
        if (mayGo) {
            homes.removeOutput(attemptKey);
        }
    }
}
