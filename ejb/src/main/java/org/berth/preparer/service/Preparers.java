package org.berth.preparer.service;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.Any;
import jakarta.enterprise.inject.Instance;
import jakarta.inject.Inject;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.berth.fault.FaultPoint;
import org.berth.host.HostPolicy;
import org.berth.host.service.Host;
import org.berth.placement.Attempt;
import org.berth.placement.Evidence;
import org.berth.placement.PrepareRequest;
import org.berth.placement.service.RetriedTransaction;
import org.berth.preparer.PreparerPhase;
import org.berth.preparer.PreparerPlan;
import org.berth.preparer.PreparerState;
import org.berth.preparer.WorkdirPreparer;
import org.berth.problem.BerthException;
import org.berth.problem.ProblemCode;

/**
 * Lets the preparers that the host's policy names work on launches, in the policy's order: their plans are committed
 * before any setup. Not for callers inside a transaction; safe for any thread. Source: placement.md, Preparers.
 */
@ApplicationScoped
public class Preparers {
    private static final Logger LOG = Logger.getLogger(Preparers.class.getName());
    private static final String BUSY = "the attempt is being changed by others; read it and try again";

    private final Supplier<HostPolicy> policy;
    private final Iterable<WorkdirPreparer> known;
    private final LaunchGrants grants;
    private final PreparerLedger ledger;
    private final PreparerCleanup cleanup;
    private final Clock clock;
    private final AttemptLocks locks = new AttemptLocks();

    /** For the container's proxy. */
    protected Preparers() {
        this(null, List.of(), null, null, null);
    }

    @Inject
    Preparers(
            Host host, @Any Instance<WorkdirPreparer> known, LaunchGrants grants, PreparerLedger ledger, Clock clock) {
        this(host::policy, known, grants, ledger, clock);
    }

    Preparers(
            Supplier<HostPolicy> policy,
            Iterable<WorkdirPreparer> known,
            LaunchGrants grants,
            PreparerLedger ledger,
            Clock clock) {
        this.policy = policy;
        this.known = known;
        this.grants = grants;
        this.ledger = ledger;
        this.clock = clock;
        this.cleanup = new PreparerCleanup(known, grants, ledger, clock);
    }

    /**
     * For prepare, before anything is recorded.
     *
     * @throws BerthException INVALID naming the option that no authorised preparer declares, or what is wrong with one
     */
    public void admit(HostPolicy admitted, PrepareRequest request) {
        Map<String, WorkdirPreparer> authorised = authorised(admitted);
        for (String option : request.options().keySet()) {
            if (authorised.values().stream().noneMatch(each -> each.options().contains(option))) {
                throw BerthException.invalid("options." + option
                        + " is declared by no preparer that this host's workdir_preparers authorises");
            }
        }
        for (WorkdirPreparer each : authorised.values()) {
            Map<String, Object> own = optionsOf(each, request);
            if (!own.isEmpty()) {
                each.admit(own);
            }
        }
    }

    /**
     * Plans, records and sets up, for an attempt whose start this caller claimed; what was recorded by a call that was cut
     * is set up again. Evidence of plans and setups is committed with them.
     *
     * @param workingDirectory physical path; the launch's own
     * @param evidence gets the row of a refusal, for the caller to record
     * @param mayGoOn asked before each setup
     * @return empty when the attempt may not go on; what was set up is then left to the cleanup
     * @throws BerthException the refusal: INVALID, DENIED, CONFLICT or what a preparer says
     */
    public Optional<Directories> setUp(
            Attempt attempt,
            PrepareRequest request,
            Path workingDirectory,
            Consumer<Evidence> evidence,
            BooleanSupplier mayGoOn) {
        Map<String, WorkdirPreparer> authorised = authorised(policy.get());
        List<Path> writeRoots = grants.writeRoots(attempt);
        PreparedDirectories directories =
                new PreparedDirectories(workingDirectory, writeRoots, path -> grants.isOwnCopy(path));
        if (authorised.isEmpty()) {
            return Optional.of(directories.now());
        }
        try (AttemptLocks.Held _ = locks.hold(attempt.attemptKey())) {
            List<PreparerState> states = ledger.find(attempt.attemptId());
            if (states.isEmpty()) {
                states = record(attempt, plan(attempt, request, workingDirectory, authorised, writeRoots, evidence));
            }
            for (PreparerState state : states) {
                refusing(state.plan().preparer(), "setup", evidence, () -> requireSame(state, authorised));
            }
            for (PreparerState state : states) {
                if (!mayGoOn.getAsBoolean()) {
                    return Optional.empty();
                }
                WorkdirPreparer preparer = authorised.get(state.plan().preparer());
                refusing(preparer.name(), "setup", evidence, () -> {
                    WorkdirPreparer.Context context =
                            context(attempt, request, preparer, directories.workingDirectory(), writeRoots);
                    directories.take(
                            preparer.name(),
                            preparer.setup(context, state.plan().state()));
                    FaultPoint.PREPARER_SET_UP.hit();
                    markSetUp(state, directories.now());
                    return null;
                });
            }
            return Optional.of(directories.now());
        }
    }

    /**
     * Takes away what the setups of an ended attempt made, the last first. The caller has proven that its processes are
     * gone. Each plan that is not settled gets its cleanup, whatever became of the others or of its setup; overlapping
     * calls agree. Evidence is committed with each plan's phase.
     */
    public CleanupOutcome cleanUp(Attempt attempt) {
        try (AttemptLocks.Held _ = locks.hold(attempt.attemptKey())) {
            return cleanup.of(attempt);
        }
    }

    /** The host's ended attempts with plans that wait for a cleanup, those touched longest ago first. */
    public List<Attempt> outstanding(String hostId, int bound) {
        return ledger.outstanding(hostId, bound);
    }

    /** Puts an attempt that could not be settled now behind the others. */
    public void postpone(Attempt attempt) {
        RetriedTransaction.of(
                () -> {
                    ledger.touch(attempt.attemptId(), clock.instant());
                    return null;
                },
                BUSY);
    }

    private List<PreparerPlan> plan(
            Attempt attempt,
            PrepareRequest request,
            Path workingDirectory,
            Map<String, WorkdirPreparer> authorised,
            List<Path> writeRoots,
            Consumer<Evidence> evidence) {
        List<PreparerPlan> plans = new ArrayList<>();
        Path at = workingDirectory;
        for (WorkdirPreparer preparer : authorised.values()) {
            WorkdirPreparer.Context context = context(attempt, request, preparer, at, writeRoots);
            WorkdirPreparer.Plan plan = refusing(preparer.name(), "plan", evidence, () -> {
                WorkdirPreparer.Plan made = preparer.plan(context);
                if (made != null) {
                    plans.add(recordable(new PreparerPlan(preparer.name(), preparer.binding(), made.state())));
                }
                return made;
            });
            at = plan == null || plan.workingDirectory() == null ? at : plan.workingDirectory();
        }
        return plans;
    }

    /** Too large a state is that preparer's refusal. */
    private static PreparerPlan recordable(PreparerPlan plan) {
        plan.stateJson();
        return plan;
    }

    private List<PreparerState> record(Attempt attempt, List<PreparerPlan> plans) {
        if (plans.isEmpty()) {
            return List.of();
        }
        List<Evidence> evidence = new ArrayList<>();
        for (PreparerPlan plan : plans) {
            evidence.add(PreparerEvidence.planned(plan, evidence.size(), clock.instant()));
        }
        List<PreparerState> states =
                RetriedTransaction.of(() -> ledger.record(attempt.attemptId(), plans, evidence, clock.instant()), BUSY);
        FaultPoint.PREPARER_PLANNED.hit();
        return states;
    }

    private static Void requireSame(PreparerState state, Map<String, WorkdirPreparer> authorised) {
        PreparerPlan plan = state.plan();
        WorkdirPreparer now = authorised.get(plan.preparer());
        if (now == null) {
            throw new BerthException(
                    ProblemCode.DENIED,
                    "the preparer " + plan.preparer() + " planned for this attempt and is no longer authorised");
        }
        if (!now.binding().equals(plan.binding())) {
            throw BerthException.conflict("the preparer " + plan.preparer()
                    + " changed since it planned for this attempt; prepare a new attempt");
        }
        if (state.phase() != PreparerPhase.PLANNED && state.phase() != PreparerPhase.SET_UP) {
            throw BerthException.conflict("what the preparer " + plan.preparer()
                    + " made for this attempt was cleaned up; prepare a new attempt");
        }
        return null;
    }

    private void markSetUp(PreparerState state, Directories now) {
        if (state.phase() == PreparerPhase.SET_UP) {
            return;
        }
        Evidence row = PreparerEvidence.setUp(state.plan(), now, clock.instant());
        if (!RetriedTransaction.of(
                () -> ledger.mark(state, PreparerPhase.SET_UP, null, List.of(row), clock.instant()), BUSY)) {
            throw BerthException.conflict("the attempt's preparers were cleaned up during its start");
        }
    }

    /** Runs one step of a preparer; a refusal leaves its evidence. */
    private <T> T refusing(String preparer, String step, Consumer<Evidence> evidence, Supplier<T> work) {
        BerthException refusal;
        try {
            return work.get();
        } catch (BerthException e) {
            refusal = e;
        } catch (RuntimeException e) {
            LOG.log(Level.WARNING, "the " + step + " of the preparer " + preparer + " failed", e);
            refusal = new BerthException(
                    ProblemCode.INTERNAL, "the " + step + " of the preparer " + preparer + " failed", e);
        }
        evidence.accept(PreparerEvidence.failed(preparer, step, refusal.getMessage(), clock.instant()));
        throw refusal;
    }

    private WorkdirPreparer.Context context(
            Attempt attempt, PrepareRequest request, WorkdirPreparer preparer, Path at, List<Path> writeRoots) {
        return new WorkdirPreparer.Context(
                attempt.attemptId(),
                attempt.attemptKey(),
                attempt.ownerId(),
                at,
                attempt.resources(),
                writeRoots,
                optionsOf(preparer, request),
                true);
    }

    private static Map<String, Object> optionsOf(WorkdirPreparer preparer, PrepareRequest request) {
        Map<String, Object> own = new LinkedHashMap<>(request.options());
        own.keySet().retainAll(preparer.options());
        return own;
    }

    /** In the policy's order; a name that no preparer has authorises nothing. */
    private Map<String, WorkdirPreparer> authorised(HostPolicy admitted) {
        Map<String, WorkdirPreparer> authorised = new LinkedHashMap<>();
        for (String name : admitted.workdirPreparers()) {
            for (WorkdirPreparer each : known) {
                if (each.name().equals(name)) {
                    authorised.put(name, each);
                }
            }
        }
        return authorised;
    }
}
