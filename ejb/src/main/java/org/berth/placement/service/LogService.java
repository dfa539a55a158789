package org.berth.placement.service;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.io.IOException;
import java.nio.file.Path;
import org.berth.access.Caller;
import org.berth.host.service.Host;
import org.berth.placement.Attempt;
import org.berth.placement.OutputStreamKind;
import org.berth.placement.RecipientKind;
import org.berth.problem.BerthException;
import org.berth.problem.ProblemCode;
import org.berth.process.protocol.LogFiles;

/** Reads what the log recipient kept of an attempt. Source: placement.md, recipient log. */
@ApplicationScoped
public class LogService {
    @Inject
    private Host host;

    @Inject
    private AttemptReader reader;

    /** @throws BerthException CONFLICT when the attempt keeps no log, NOT_FOUND once its retention is over */
    public LogFiles.Kept read(Caller caller, String attemptId, OutputStreamKind stream) {
        Attempt attempt = reader.ours(caller, attemptId);
        if (StoredRequest.of(attempt).output().recipient() != RecipientKind.LOG) {
            throw BerthException.conflict(
                    "the attempt's output goes to a stream recipient, so no log keeps it; attach to read it");
        }
        Path directory = host.layout().outputDirectory(attempt.attemptKey());
        try {
            return LogFiles.read(directory, stream);
        } catch (IOException e) {
            throw new BerthException(ProblemCode.STORAGE, "the attempt's log cannot be read", e);
        }
    }
}
