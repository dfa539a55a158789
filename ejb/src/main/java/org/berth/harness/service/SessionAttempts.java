package org.berth.harness.service;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.berth.harness.session.HarnessSession;
import org.berth.host.service.Host;
import org.berth.json.StrictJson;
import org.berth.placement.Attempt;
import org.berth.placement.OutputStreamKind;
import org.berth.placement.RecipientKind;
import org.berth.placement.service.InternalAdmission;
import org.berth.process.protocol.LogFiles;

/**
 * How a session's processes are told as attempts: everything that a later server must know of a job is in its intent, which
 * is committed before its spawn.
 */
final class SessionAttempts {
    /** The shell of commands. Source: an own choice, what agents expect. */
    static final String SHELL = "/bin/bash";

    private static final String COMMAND = "command";
    private static final String ENTRY = "entry:";
    private static final String JOB = "job-";
    private static final String KERNEL = "kernel";

    private SessionAttempts() {}

    static String action(String sessionId) {
        return "session:" + sessionId;
    }

    /** @param startedAfterEntry the last entry that was committed before */
    static InternalAdmission.Launch command(
            HarnessSession session,
            InternalAdmission.Directory directory,
            String jobId,
            String command,
            long startedAfterEntry) {
        Map<String, String> variables = new LinkedHashMap<>();
        variables.put("BERTH_SESSION_ID", session.sessionId());
        return new InternalAdmission.Launch(
                JOB + jobId,
                action(session.sessionId()),
                ENTRY + startedAfterEntry,
                COMMAND,
                List.of(SHELL, "-c", command),
                variables,
                directory,
                RecipientKind.LOG,
                true);
    }

    /**
     * A kernel: nothing keeps its output, which is the protocol's.
     *
     * @param argv the kernel's, or its wrapper's
     * @param variables no secrets
     */
    static InternalAdmission.Launch kernel(
            HarnessSession session,
            InternalAdmission.Directory directory,
            String kernelId,
            List<String> argv,
            Map<String, String> variables) {
        return new InternalAdmission.Launch(
                kernelAttempt(kernelId),
                action(session.sessionId()),
                "session",
                KERNEL,
                argv,
                variables,
                directory,
                RecipientKind.STREAM,
                false);
    }

    static String kernelAttempt(String kernelId) {
        return KERNEL + "-" + kernelId;
    }

    static boolean isCommand(Attempt attempt) {
        return COMMAND.equals(request(attempt).get("profile_id"));
    }

    static String attemptId(String jobId) {
        return JOB + jobId;
    }

    static String jobId(Attempt attempt) {
        return attempt.attemptId().substring(JOB.length());
    }

    static long startedAfterEntry(Attempt attempt) {
        return Long.parseLong(
                String.valueOf(request(attempt).get("binding_ref")).substring(ENTRY.length()));
    }

    /** The command as it was given. */
    static String command(Attempt attempt) {
        return request(attempt).get("launch") instanceof Map<?, ?> launch && launch.get("argv") instanceof List<?> argv
                ? String.valueOf(argv.getLast())
                : "";
    }

    private static Map<String, Object> request(Attempt attempt) {
        return StrictJson.object(attempt.requestJson());
    }

    /** Where all of the output is: in the log, which the supervisor gives its last name at the end. */
    static Path fullOutput(Host host, Attempt attempt, boolean over) {
        Path directory = host.layout().outputDirectory(attempt.attemptKey());
        return over
                ? LogFiles.whole(directory, OutputStreamKind.STDOUT)
                : LogFiles.part(directory, OutputStreamKind.STDOUT, 0);
    }
}
