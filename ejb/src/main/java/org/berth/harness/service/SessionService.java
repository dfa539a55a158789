package org.berth.harness.service;

import jakarta.annotation.Resource;
import jakarta.enterprise.concurrent.ManagedExecutorService;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.BiConsumer;
import org.berth.access.Caller;
import org.berth.harness.access.WorkingDirectory;
import org.berth.harness.job.JobDocument;
import org.berth.harness.job.Rewound;
import org.berth.harness.job.RunningJobs;
import org.berth.harness.session.Entry;
import org.berth.harness.session.HarnessSession;
import org.berth.harness.session.SessionState;
import org.berth.harness.session.StateDocument;
import org.berth.harness.session.WorkspaceMode;
import org.berth.host.service.Host;
import org.berth.placement.CanonicalJson;
import org.berth.problem.BerthException;

/**
 * Sessions: opened in a directory, with a tree of entries that clients append to, go back in and fork; ended with everything
 * that runs in them. Source: harness.md, Sessions and S2.
 */
@ApplicationScoped
public class SessionService {
    /** Characters of an entry's kind. */
    public static final int MOST_KIND = 160;

    @Resource
    private ManagedExecutorService executor;

    @Inject
    private Host host;

    @Inject
    private SessionReader reader;

    @Inject
    private SessionChanges changes;

    @Inject
    private EntryWriter entries;

    @Inject
    private OpenSessions sessions;

    @Inject
    private SessionDirectories directories;

    @Inject
    private Workspaces workspaces;

    @Inject
    private KernelTransports transports;

    @Inject
    private SessionKernels kernels;

    @Inject
    private ToolCallService calls;

    @Inject
    private Clock clock;

    /** A session after its head was moved back, and what became of the jobs that started after it. */
    public record Moved(HarnessSession session, Rewound jobs) {}

    /**
     * Opens a session. The copy of an isolated one takes its time, for which no thread of the caller's waits; then a refusal
     * fails the stage, else it is thrown.
     *
     * @throws BerthException INVALID with the sentences of {@link WorkingDirectory}, or for a kernel transport of no such name
     *     or one that shares no isolated workspaces; NOT_FOUND or CONFLICT for the parent; DENIED without a right to write in
     *     the directory; TOO_LARGE for an isolated workspace of too many files
     */
    public CompletionStage<HarnessSession> open(Caller caller, NewSession wanted) {
        HarnessSession parent = wanted.parentId() == null ? null : reader.open(caller, wanted.parentId());
        if (wanted.workspace() == WorkspaceMode.ISOLATED && parent == null) {
            throw BerthException.invalid("workspace isolated needs a parent, whose files are copied");
        }
        if (wanted.kernelTransport() != null) {
            transports.require(wanted.kernelTransport(), wanted.workspace());
        }
        String id = "session-" + UUID.randomUUID();
        if (wanted.workspace() == WorkspaceMode.ISOLATED) {
            return workspaces
                    .create(Path.of(parent.cwd()), parent.sessionId(), id)
                    .thenApplyAsync(copy -> opened(caller, wanted, parent, id, copy), executor);
        }
        Path directory = WorkingDirectory.require(
                Optional.ofNullable(wanted.cwd())
                        .or(() -> Optional.ofNullable(parent).map(HarnessSession::cwd)),
                Optional.empty());
        return CompletableFuture.completedStage(opened(caller, wanted, parent, id, directory));
    }

    private HarnessSession opened(Caller caller, NewSession wanted, HarnessSession parent, String id, Path directory) {
        String owner = parent == null ? caller.ownerId() : parent.ownerId();
        // The session's work is its owner's, whoever opened it.
        Caller acting = new Caller(owner, caller.roles(), caller.tokenId());
        String grant = directories.grant(acting, directory, wanted.workspace()).orElse(null);
        if (wanted.kernelTransport() != null) {
            transports.of(SessionReader.owner(owner), wanted.kernelTransport(), directory);
        }
        Instant now = now();
        HarnessSession session = new HarnessSession(
                id,
                owner,
                host.hostId(),
                directory.toString(),
                SessionSettings.json(wanted.truncation()),
                wanted.budgetMillis(),
                wanted.kernelTransport(),
                wanted.parentId(),
                wanted.workspace(),
                grant,
                null,
                0,
                SessionState.OPEN,
                null,
                null,
                now,
                now,
                0);
        return changes.change(stores -> {
            // While the copy was made the parent may have ended, and its end found no such child.
            if (parent != null && locked(stores, parent.sessionId()).state() == SessionState.ENDED) {
                throw BerthException.conflict("the parent has ended; reopen it first");
            }
            return stores.sessions().insert(session);
        });
    }

    /**
     * Opens it again, in the recorded directory where none is named.
     *
     * @throws BerthException INVALID with the sentences of {@link WorkingDirectory}; DENIED without a right to write in the
     *     named one; CONFLICT when an open session, or one with a workspace of its own, is to work elsewhere
     */
    public HarnessSession reopen(Caller caller, String sessionId, String cwd) {
        HarnessSession session = reader.visible(caller, sessionId);
        Path directory = WorkingDirectory.require(Optional.ofNullable(cwd), Optional.of(session.cwd()));
        boolean moved = !directory.toString().equals(session.cwd());
        if (moved && (session.state() == SessionState.OPEN || session.workspace() == WorkspaceMode.ISOLATED)) {
            throw BerthException.conflict(
                    "the session works in " + session.cwd() + "; open another one to work in " + directory);
        }
        String grant = moved
                ? directories.grant(caller, directory, session.workspace()).orElse(null)
                : session.grantRef();
        HarnessSession opened = changes.change(stores -> {
            HarnessSession now = locked(stores, sessionId);
            return now.state() == SessionState.OPEN
                    ? now
                    : stores.sessions().save(now.withReopening(directory.toString(), grant, now()));
        });
        sessions.of(opened);
        return opened;
    }

    private static HarnessSession locked(SessionLedger.Stores stores, String sessionId) {
        return stores.sessions().lock(sessionId).orElseThrow(() -> BerthException.notFound("there is no such session"));
    }

    /**
     * Ends it: its children first, then its jobs, within the budget; an isolated workspace is handed back once everything is
     * over. A session that has ended stays as it is. No thread waits for it. Fails with CONFLICT when something of it does not
     * end in time: it stays open, and the call may be repeated.
     *
     * @throws BerthException NOT_FOUND
     */
    public CompletionStage<HarnessSession> end(Caller caller, String sessionId, String outcome) {
        HarnessSession session = reader.visible(caller, sessionId);
        if (session.state() == SessionState.ENDED) {
            return CompletableFuture.completedStage(session);
        }
        CompletionStage<?> children = CompletableFuture.completedStage(null);
        for (HarnessSession child : changes.read(stores -> stores.sessions().childrenOf(sessionId))) {
            if (child.state() == SessionState.OPEN) {
                children = children.thenComposeAsync(
                        before -> end(caller, child.sessionId(), "its parent ended"), executor);
            }
        }
        return children.thenComposeAsync(over -> endOwn(session, outcome), executor);
    }

    private CompletionStage<HarnessSession> endOwn(HarnessSession session, String outcome) {
        OpenSession open = sessions.of(session);
        open.starts().close();
        CompletionStage<HarnessSession> ended;
        try {
            ended = ended(session, open, outcome);
        } catch (RuntimeException e) {
            ended = CompletableFuture.failedStage(e);
        }
        return ended.whenComplete((done, failure) -> {
            if (failure != null) {
                open.starts().open();
            }
        });
    }

    private CompletionStage<HarnessSession> ended(HarnessSession session, OpenSession open, String outcome) {
        calls.abortAll(session.sessionId());
        CompletionStage<Rewound> stopping =
                open.jobs().rewindTo(0, sessions.waits().deadline(open.budgetMillis()));
        // A cell that was interrupted gets no grace: its kernel ends at once.
        return kernels.end(session)
                .thenCombine(stopping, (gone, jobs) -> jobs)
                .thenCompose(jobs -> handedBack(session, jobs))
                .thenApplyAsync(handBack -> recorded(session, handBack, outcome), executor);
    }

    private CompletionStage<Optional<Map<String, Object>>> handedBack(HarnessSession session, Rewound jobs) {
        if (!jobs.stoppingJobs().isEmpty()) {
            throw BerthException.conflict(
                    "these jobs have not ended yet: " + String.join(", ", jobs.stoppingJobs()) + "; try again");
        }
        return session.workspace() == WorkspaceMode.ISOLATED
                ? workspaces.handBack(session.parentId(), session.sessionId()).thenApply(Optional::of)
                : CompletableFuture.completedStage(Optional.empty());
    }

    private HarnessSession recorded(HarnessSession session, Optional<Map<String, Object>> handBack, String outcome) {
        HarnessSession ended = changes.change(stores -> {
            HarnessSession now = locked(stores, session.sessionId());
            HarnessSession reported = handBack.map(report -> now.withHandBack(CanonicalJson.write(report), now()))
                    .orElse(now);
            return stores.sessions().save(reported.withEnd(outcome, now()));
        });
        sessions.forget(session.sessionId());
        report(ended, handBack.orElse(null));
        return ended;
    }

    /** The parent's conversation is told of its child's end. */
    private void report(HarnessSession ended, Map<String, Object> handBack) {
        if (ended.parentId() == null) {
            return;
        }
        Map<String, Object> body = new LinkedHashMap<>();
        body.put("session", ended.sessionId());
        body.put("outcome", ended.outcome());
        body.put("handBack", handBack);
        changes.read(stores -> stores.sessions().find(ended.parentId()))
                .filter(parent -> parent.state() == SessionState.OPEN)
                .ifPresent(parent -> told(parent, entries.notice(parent.sessionId(), "child_ended", body)));
    }

    /** @throws BerthException NOT_FOUND; CONFLICT when it has ended */
    public Entry append(Caller caller, String sessionId, String kind, Map<String, Object> body) {
        if (kind.isBlank() || kind.length() > MOST_KIND) {
            throw BerthException.invalid("kind must be 1 to " + MOST_KIND + " characters");
        }
        HarnessSession session = reader.open(caller, sessionId);
        return told(session, entries.append(session.sessionId(), kind, CanonicalJson.write(body)));
    }

    private Entry told(HarnessSession session, Entry entry) {
        OpenSession open = sessions.of(session);
        OpenSessions.committed(open.table(), open.feed(), entry);
        return entry;
    }

    /**
     * Goes back, or elsewhere, in the tree: the head is moved, and every job that started after the entry's commit is
     * killed. Blocks at most for the budget.
     *
     * @param entryId null for before every entry
     */
    public CompletionStage<Moved> navigate(Caller caller, String sessionId, String entryId) {
        HarnessSession session = reader.open(caller, sessionId);
        long sequence = sequence(sessionId, entryId);
        HarnessSession moved = changes.change(
                stores -> stores.sessions().save(locked(stores, sessionId).withHead(entryId, now())));
        return rewound(session, sequence).thenApply(jobs -> new Moved(moved, jobs));
    }

    /** As {@link #navigate}, into a session of its own with the entries up to there; this one's head stays. */
    public CompletionStage<Moved> fork(Caller caller, String sessionId, String entryId) {
        HarnessSession session = reader.open(caller, sessionId);
        long sequence = sequence(sessionId, entryId);
        Instant now = now();
        HarnessSession forked = changes.change(stores -> {
            HarnessSession copy = stores.sessions()
                    .insert(new HarnessSession(
                            "session-" + UUID.randomUUID(),
                            session.ownerId(),
                            session.hostId(),
                            session.cwd(),
                            session.truncationJson(),
                            session.budgetMillis(),
                            session.kernelTransport(),
                            null,
                            WorkspaceMode.SHARED,
                            session.grantRef(),
                            entryId,
                            sequence,
                            SessionState.OPEN,
                            null,
                            null,
                            now,
                            now,
                            0));
            stores.entries().copyUpTo(sessionId, sequence, copy.sessionId());
            return copy;
        });
        return rewound(session, sequence).thenApply(jobs -> new Moved(forked, jobs));
    }

    private CompletionStage<Rewound> rewound(HarnessSession session, long sequence) {
        OpenSession open = sessions.of(session);
        open.starts().rewind(sequence);
        return open.jobs().rewindTo(sequence, sessions.waits().deadline(open.budgetMillis()));
    }

    private long sequence(String sessionId, String entryId) {
        return entryId == null
                ? 0
                : changes.read(stores -> stores.entries().find(sessionId, entryId))
                        .map(Entry::sequence)
                        .orElseThrow(() -> BerthException.notFound("the session has no entry of that id"));
    }

    /** Its committed documents; a session of this host is opened for it, so that those of dead jobs are retired. */
    public List<StateDocument> state(Caller caller, String sessionId) {
        HarnessSession session = reader.visible(caller, sessionId);
        here(session);
        return reader.state(session);
    }

    /** What runs of it here; empty when it has ended, or runs on another node. */
    private Optional<OpenSession> here(HarnessSession session) {
        return session.state() == SessionState.OPEN && session.hostId().equals(host.hostId())
                ? Optional.of(sessions.of(session))
                : Optional.empty();
    }

    /** What the session's next prompt is to be told, by section; a section that has nothing to say is absent. */
    public Map<String, String> prompt(Caller caller, String sessionId) {
        HarnessSession session = reader.visible(caller, sessionId);
        Optional<OpenSession> here = here(session);
        Map<String, String> sections = new LinkedHashMap<>();
        RunningJobs.section(reader.state(session).stream()
                        .filter(document -> document.type().equals(JobDocument.KIND))
                        .map(StateDocument::key)
                        .filter(job ->
                                here.isEmpty() || here.get().jobs().find(job).isPresent())
                        .toList())
                .ifPresent(text -> sections.put(RunningJobs.SECTION, text));
        return sections;
    }

    /**
     * Tells {@code client} a snapshot and then every change, until what is answered is run. The client hands on and never
     * waits.
     */
    public Runnable watch(Caller caller, String sessionId, BiConsumer<String, Map<String, Object>> client) {
        OpenSession open = sessions.of(reader.open(caller, sessionId));
        return open.feed().join(client, () -> SessionEvents.snapshot(open, jobs(open)));
    }

    private static List<Map<String, Object>> jobs(OpenSession open) {
        List<Map<String, Object>> jobs = new ArrayList<>();
        open.runs().all().forEach(run -> jobs.add(JobService.whole(run)));
        return jobs;
    }

    /** As clients see it. */
    public static Map<String, Object> entry(Entry entry) {
        return SessionEvents.entry(entry);
    }

    private Instant now() {
        return clock.instant().truncatedTo(ChronoUnit.MICROS);
    }
}
