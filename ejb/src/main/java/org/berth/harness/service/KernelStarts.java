package org.berth.harness.service;

import jakarta.annotation.Resource;
import jakarta.enterprise.concurrent.ManagedExecutorService;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.berth.access.Caller;
import org.berth.files.PrivateFiles;
import org.berth.harness.kernel.GroupJournal;
import org.berth.harness.kernel.HostDispatch;
import org.berth.harness.kernel.KernelListener;
import org.berth.harness.session.HarnessSession;
import org.berth.harness.transport.KernelLaunch;
import org.berth.harness.transport.KernelStart;
import org.berth.harness.transport.KernelTransport;
import org.berth.host.service.Host;
import org.berth.placement.Attempt;
import org.berth.placement.ExecutionState;
import org.berth.placement.InputOutcome;
import org.berth.placement.Processes;
import org.berth.placement.StopMode;
import org.berth.placement.service.AttemptReader;
import org.berth.placement.service.CleanupService;
import org.berth.placement.service.Failures;
import org.berth.placement.service.InternalAdmission;
import org.berth.placement.service.LiveStreams;
import org.berth.placement.service.ProcessesGateway;
import org.berth.placement.service.StartService;
import org.berth.placement.service.StopService;
import org.berth.problem.BerthException;
import org.berth.problem.ProblemCode;

/** Starts kernels as attempts of placement, and clears away what an ended one leaves. Source: harness.md, S2 and S3. */
@ApplicationScoped
public class KernelStarts {
    private static final Logger LOG = Logger.getLogger(KernelStarts.class.getName());

    /** Source: guest-helper/kernel/README.md, End. */
    private static final String JOURNAL = "BERTH_KERNEL_PROCESS_JOURNAL";

    private static final String JOURNAL_FILE = "groups-";
    private static final String PYTHONPATH = "PYTHONPATH";

    @Resource
    private ManagedExecutorService executor;

    @Inject
    private Host host;

    @Inject
    private SessionPython python;

    @Inject
    private KernelTransports transports;

    @Inject
    private SessionDirectories directories;

    @Inject
    private OpenSessions sessions;

    @Inject
    private InternalAdmission admission;

    @Inject
    private StartService starts;

    @Inject
    private StopService stops;

    @Inject
    private CleanupService cleanups;

    @Inject
    private LiveStreams streams;

    @Inject
    private AttemptReader attempts;

    @Inject
    private ProcessesGateway gateway;

    /**
     * A session's transport now. Fails with UNAVAILABLE where no Python is installed, INVALID for a transport that is not
     * in host.yaml any more, DENIED for one that the owner may not use.
     */
    CompletionStage<KernelTransport> transport(HarnessSession session) {
        return session.kernelTransport() == null
                ? python.find().thenApply(KernelTransport.Local::new)
                : CompletableFuture.completedStage(
                        transports.of(SessionReader.owner(session), session.kernelTransport(), Path.of(session.cwd())));
    }

    /** Starts a kernel. Fails as {@link #transport}, or with what refused the start; then nothing runs. */
    CompletionStage<KernelProcess> start(
            HarnessSession session, KernelListener listener, Function<KernelTransport, HostDispatch> dispatch) {
        return transport(session)
                .thenComposeAsync(
                        transport -> {
                            reapLeft(session);
                            return start(session, transport, listener, dispatch.apply(transport));
                        },
                        executor);
    }

    private CompletionStage<KernelProcess> start(
            HarnessSession session, KernelTransport transport, KernelListener listener, HostDispatch dispatch) {
        String id = UUID.randomUUID().toString();
        Caller owner = SessionReader.owner(session);
        Optional<Path> journal = transport instanceof KernelTransport.Local
                ? Optional.of(stateOf(session).resolve(JOURNAL_FILE + id))
                : Optional.empty();
        KernelLaunch launch = KernelLaunch.of(transport, wanted(session, transport, journal));
        launch.diagnostics().forEach(listener::diagnostic);
        NamespaceSnapshot snapshot = NamespaceSnapshot.of(stateOf(session), transport);
        if (snapshot.inKernel().isEmpty()) {
            listener.diagnostic("no mount of its transport holds its snapshot file: its names are not saved");
        }
        return admission
                .admit(
                        owner,
                        SessionAttempts.kernel(
                                session,
                                directories.of(session),
                                id,
                                launch.argv(),
                                // A wrapper has the host's environment; what its kernel gets is in its command.
                                transport instanceof KernelTransport.Local ? launch.environment() : Map.of()))
                .thenComposeAsync(
                        attempt -> {
                            KernelProcess process = new KernelProcess(
                                    attempt.attemptId(),
                                    snapshot,
                                    port(owner, attempt),
                                    listener,
                                    dispatch,
                                    executor,
                                    sessions.later());
                            process.over()
                                    .whenCompleteAsync((over, failure) -> clear(owner, attempt, journal), executor);
                            streams.connect(attempt, attempt.attachmentGeneration(), process);
                            return starts.start(owner, attempt.attemptId()).handle((started, failure) -> {
                                if (failure != null) {
                                    process.kill();
                                    throw Failures.unwrap(failure);
                                }
                                return process;
                            });
                        },
                        executor);
    }

    private KernelStart wanted(HarnessSession session, KernelTransport transport, Optional<Path> journal) {
        Map<String, String> environment = InternalAdmission.environment(host.policy(), System.getenv());
        boolean local = transport instanceof KernelTransport.Local;
        return new KernelStart(
                Path.of(session.cwd()),
                ShippedRuntime.directory(),
                List.of(),
                Map.of("BERTH_SESSION_ID", session.sessionId()),
                journal.map(path -> Map.of(JOURNAL, path)).orElse(Map.of()),
                // The child of placement has the host's environment; only what changes in it is told again.
                local && environment.containsKey(PYTHONPATH)
                        ? Map.of(PYTHONPATH, environment.get(PYTHONPATH))
                        : local ? Map.of() : environment,
                supervisor());
    }

    /** A kernel outlives this server, and ends with the supervisor whose child it is. */
    private long supervisor() {
        return gateway.call(Processes::supervisors).stream()
                .findFirst()
                .map(Processes.SupervisorInfo::pid)
                .orElseThrow(() -> BerthException.unavailable("no supervisor is connected yet; try again in a moment"));
    }

    private KernelPort port(Caller owner, Attempt attempt) {
        return new KernelPort() {
            @Override
            public CompletionStage<InputOutcome> write(String writeId, byte[] piece) {
                try {
                    return gateway.call(processes -> processes.write(
                            attempt.attemptKey(), attempt.nonce(), attempt.attachmentGeneration(), writeId, piece));
                } catch (BerthException e) {
                    return CompletableFuture.failedStage(e);
                }
            }

            @Override
            public void closeInput() {
                try {
                    gateway.call(processes -> processes.closeStdin(attempt.attemptKey(), attempt.nonce()));
                } catch (BerthException e) {
                    LOG.log(Level.FINE, "nobody to close the input of " + attempt.attemptId(), e);
                }
            }

            @Override
            public void kill() {
                executor.execute(() -> order(owner, attempt.attemptId()));
            }
        };
    }

    private void order(Caller owner, String attemptId) {
        try {
            stops.stop(owner, attemptId, StopMode.FORCED).whenComplete((stopped, failure) -> {
                if (failure != null) {
                    LOG.log(Level.WARNING, "the stop of " + attemptId + " was not taken; the sweep goes on", failure);
                }
            });
        } catch (BerthException e) {
            LOG.log(Level.WARNING, "the stop of " + attemptId + " was not recorded", e);
        }
    }

    /** The kernel's commands have process groups of their own, which a killed kernel cannot end. */
    private void clear(Caller owner, Attempt attempt, Optional<Path> journal) {
        journal.ifPresent(KernelStarts::reap);
        try {
            cleanups.cleanUp(owner, attempt.attemptId()).whenComplete((cleaned, failure) -> {
                if (failure != null) {
                    LOG.log(Level.FINE, attempt.attemptId() + " is not cleaned up yet; the sweep goes on", failure);
                }
            });
        } catch (BerthException e) {
            LOG.log(Level.FINE, attempt.attemptId() + " is not cleaned up yet; the sweep goes on", e);
        }
    }

    /** Ends the process groups that the session's kernels of a former server left. */
    void reapLeft(HarnessSession session) {
        try (DirectoryStream<Path> journals = Files.newDirectoryStream(stateOf(session), JOURNAL_FILE + "*")) {
            for (Path journal : journals) {
                String id = journal.getFileName().toString().substring(JOURNAL_FILE.length());
                attempts.find(SessionAttempts.kernelAttempt(id))
                        .filter(attempt -> attempt.executionState() == ExecutionState.EXITED)
                        .ifPresent(attempt -> reap(journal));
            }
        } catch (IOException | DirectoryIteratorException e) {
            LOG.log(Level.WARNING, "the journals of " + session.sessionId() + " could not be read", e);
        }
    }

    private static void reap(Path journal) {
        try {
            GroupJournal.reap(journal);
            Files.deleteIfExists(journal);
        } catch (IOException e) {
            LOG.log(Level.WARNING, "the process groups of " + journal + " could not be read", e);
        }
    }

    /** Connects it again: what it wrote meanwhile is in the supervisor's spool. */
    void listenAgain(KernelProcess process) {
        attempts.find(process.attemptId())
                .ifPresent(attempt -> streams.connect(attempt, attempt.attachmentGeneration(), process));
    }

    /** Where a session's own files lie: whole outputs, and what its kernels keep. @throws BerthException STORAGE */
    Path stateOf(HarnessSession session) {
        try {
            PrivateFiles.directory(host.stateRoot().resolve("harness"));
            return PrivateFiles.directory(host.stateRoot().resolve("harness").resolve(session.sessionId()));
        } catch (IOException e) {
            throw new BerthException(
                    ProblemCode.STORAGE, "the session's directory in the state root cannot be made", e);
        }
    }
}
