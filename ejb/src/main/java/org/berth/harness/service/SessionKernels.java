package org.berth.harness.service;

import jakarta.annotation.Resource;
import jakarta.enterprise.concurrent.ManagedExecutorService;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Inject;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.berth.access.Caller;
import org.berth.harness.files.FileLimits;
import org.berth.harness.files.FileRequests;
import org.berth.harness.files.Roots;
import org.berth.harness.ignore.GitSurroundings;
import org.berth.harness.ignore.TreeListing;
import org.berth.harness.kernel.FsDispatch;
import org.berth.harness.kernel.HostDispatch;
import org.berth.harness.kernel.RemoteTools;
import org.berth.harness.session.HarnessSession;
import org.berth.harness.transport.FsRequests;
import org.berth.harness.transport.KernelTransport;
import org.berth.harness.transport.Mount;
import org.berth.host.service.Host;
import org.berth.placement.Attempt;
import org.berth.placement.CleanupState;
import org.berth.placement.ExecutionState;
import org.berth.placement.StopMode;
import org.berth.placement.service.AttemptReader;
import org.berth.placement.service.CleanupService;
import org.berth.placement.service.InternalAdmission;
import org.berth.placement.service.StopService;
import org.berth.placement.service.SupervisorConnected;
import org.berth.problem.BerthException;

/** The kernels of this server's sessions, one each. Source: harness.md, "Kernel and transport". */
@ApplicationScoped
public class SessionKernels {
    /** How long a killed kernel may take until nothing of it is left. Source: an own choice. */
    private static final long END_MILLIS = 10_000;

    private static final int OCTAL = 8;
    private static final long LOOK_MILLIS = 100;

    @Resource
    private ManagedExecutorService executor;

    @Inject
    private Host host;

    @Inject
    private KernelStarts starts;

    @Inject
    private OpenSessions sessions;

    @Inject
    private AttemptReader attempts;

    @Inject
    private StopService stops;

    @Inject
    private CleanupService cleanups;

    private final ConcurrentHashMap<String, Held> kernels = new ConcurrentHashMap<>();

    /**
     * @param remote the functions that it offers; they stay when the kernel is replaced
     * @param files the session's file requests, in the host's paths
     */
    record Held(SessionKernel kernel, RemoteTools remote, HostFiles files) {}

    /** The session's, made at its first use; that starts no process. */
    Held of(HarnessSession session, OpenSession open) {
        return kernels.computeIfAbsent(session.sessionId(), id -> held(session, open));
    }

    private Held held(HarnessSession session, OpenSession open) {
        Path cwd = Path.of(session.cwd());
        HostFiles shared = new HostFiles(files(List.of(cwd)));
        RemoteTools remote = new RemoteTools(shared);
        KernelLog log = new KernelLog(session.sessionId());
        SessionKernel kernel = new SessionKernel(
                listener -> starts.start(session, listener, transport -> dispatch(transport, cwd, shared, remote)),
                executor,
                sessions.later(),
                log::say,
                text -> unowned(open, text));
        return new Held(kernel, remote, new HostFiles(files(List.of(cwd))));
    }

    /** What a kernel on this transport may ask for, by the mounts that the operator has set now. */
    private static HostDispatch dispatch(KernelTransport transport, Path cwd, HostFiles shared, RemoteTools remote) {
        return switch (transport) {
            case KernelTransport.Local _ -> remote;
            case KernelTransport.Wrapped wrapped -> {
                shared.share(files(
                        wrapped.pathMap().mounts().stream().map(Mount::host).toList()));
                yield new FsDispatch(
                        new FsRequests(
                                wrapped.pathMap(), wrapped.kernelPath(cwd).orElse("")),
                        remote);
            }
        };
    }

    private static FileRequests files(List<Path> roots) {
        return new FileRequests(
                new Roots(roots, OptionalInt.of(Integer.parseInt(InternalAdmission.umask(), OCTAL))),
                new TreeListing(GitSurroundings.ofProcess()),
                FileLimits.DEFAULT,
                System::nanoTime);
    }

    private static void unowned(OpenSession open, String text) {
        Map<String, Object> notice = new LinkedHashMap<>();
        notice.put("kind", "kernel_output");
        notice.put("text", text);
        open.feed().tell("notice", notice);
    }

    /**
     * Ends the session's kernel, also one that a former server left, and proves that nothing of it runs. Its names are saved
     * first, within the budget. No thread waits for it. Fails with CONFLICT when that is not proven in time; the call may be repeated.
     */
    CompletionStage<Void> end(HarnessSession session) {
        Held held = kernels.get(session.sessionId());
        return (held == null
                        ? CompletableFuture.<Void>completedStage(null)
                        : held.kernel().save(Math.min(NamespaceKeeper.END_SAVE_MILLIS, session.budgetMillis())))
                .thenComposeAsync(saved -> end(session, held), executor);
    }

    private CompletionStage<Void> end(HarnessSession session, Held held) {
        long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(END_MILLIS);
        CompletionStage<Void> started = CompletableFuture.completedStage(null);
        if (held != null) {
            held.kernel().end();
            started = until(
                    deadline,
                    () -> CompletableFuture.completedStage(!held.kernel().isStarting()));
        }
        return started.thenCompose(over -> gone(session, held, deadline))
                .thenRunAsync(
                        () -> {
                            starts.reapLeft(session);
                            kernels.remove(session.sessionId());
                        },
                        executor);
    }

    /** Stops every kernel's attempt of the session, and completes once nothing of them is left. */
    private CompletionStage<Void> gone(HarnessSession session, Held held, long deadline) {
        Caller owner = SessionReader.owner(session);
        Set<String> ending = new LinkedHashSet<>();
        if (held != null) {
            held.kernel().process().ifPresent(process -> ending.add(process.attemptId()));
        }
        for (Attempt attempt :
                attempts.unfinished(host.hostId(), session.ownerId(), SessionAttempts.action(session.sessionId()))) {
            if (!SessionAttempts.isCommand(attempt) && ending.add(attempt.attemptId())) {
                stops.stop(owner, attempt.attemptId(), StopMode.FORCED);
            }
        }
        CompletionStage<Void> all = CompletableFuture.completedStage(null);
        for (String attemptId : ending) {
            all = all.thenCompose(before -> until(deadline, () -> isGone(owner, attemptId)));
        }
        return all;
    }

    /** Looks at once and then again and again, on the server's threads. */
    private CompletionStage<Void> until(long deadline, Supplier<CompletionStage<Boolean>> look) {
        return look.get().thenCompose(over -> {
            if (over) {
                return CompletableFuture.completedStage(null);
            }
            if (System.nanoTime() - deadline > 0) {
                throw BerthException.conflict("the kernel has not ended yet; try again");
            }
            CompletableFuture<Void> pause = new CompletableFuture<>();
            sessions.later()
                    .schedule(() -> executor.execute(() -> pause.complete(null)), LOOK_MILLIS, TimeUnit.MILLISECONDS);
            return pause.thenCompose(again -> until(deadline, look));
        });
    }

    private CompletionStage<Boolean> isGone(Caller owner, String attemptId) {
        Attempt now = attempts.visible(owner, attemptId);
        if (now.cleanupState() == CleanupState.COMPLETE || now.executionState() != ExecutionState.EXITED) {
            return CompletableFuture.completedStage(now.cleanupState() == CleanupState.COMPLETE);
        }
        try {
            return cleanups.cleanUp(owner, attemptId)
                    // What fails is not proven yet.
                    .handle((cleaned, failure) -> failure == null && cleaned.cleanupState() == CleanupState.COMPLETE);
        } catch (BerthException e) {
            // Not proven yet.
            return CompletableFuture.completedStage(false);
        }
    }

    /** The way to the supervisor is there again: kernels that lost it are listened to again. */
    void connected(@Observes SupervisorConnected connection) {
        executor.execute(() -> kernels.values()
                .forEach(held ->
                        held.kernel().process().filter(KernelProcess::isLost).ifPresent(starts::listenAgain)));
    }
}
