package org.berth.placement.service;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.berth.fault.FaultPoint;
import org.berth.host.HostPolicy;
import org.berth.host.service.Host;
import org.berth.placement.Attempt;
import org.berth.placement.Evidence;
import org.berth.placement.EvidenceKind;
import org.berth.placement.PrepareRequest;
import org.berth.placement.RecipientKind;
import org.berth.placement.SpawnOrder;
import org.berth.placement.Step;
import org.berth.problem.BerthException;

/**
 * Makes what a claimed launch needs before its child exists: home, login, configuration, directory, environment; and the
 * order for the supervisor. Source: placement.md, Start, steps 3 to 7.
 */
@ApplicationScoped
public class LaunchMaterialiser {
    @Inject
    private Host host;

    @Inject
    private LaunchDirectories directories;

    @Inject
    private LaunchEnvironment environment;

    @Inject
    private AgentMaterialiser agents;

    @Inject
    private WorkdirSetup workdirs;

    @Inject
    private AttemptChanges changes;

    @Inject
    private Clock clock;

    /**
     * @param mayGoOn asked before each file: whether this runner still owns the start
     * @param done collects the evidence of what was done, in order
     */
    SpawnOrder materialise(Attempt attempt, PrepareRequest request, BooleanSupplier mayGoOn, List<Evidence> done)
            throws StartRefusal {
        Path home = directories.home(attempt, request, done);
        FaultPoint.START_HOME_CREATED.hit();
        Path named = directories.workingDirectory(attempt, request, home);
        if (!request.options().isEmpty()) {
            // A preparer's rows are committed with what it did, and stand behind these.
            commit(attempt, done);
        }
        try {
            // First, since an agent is told of the directory where it works.
            WorkdirSetup.Workdir workdir = workdirs.setUp(attempt, request, named, mayGoOn, done);
            List<String> configured = agents.materialise(attempt, request, workdir.directory(), mayGoOn, done);
            HostPolicy policy = host.policy();
            Map<String, String> variables = environment.of(policy, request, home, agents.privateDefinition(request));
            given(policy, request, variables, done);
            return order(attempt, request, arguments(workdir, configured, request), workdir.directory(), variables);
        } catch (BerthException e) {
            throw new StartRefusal(
                    Evidence.of(clock.instant(), EvidenceKind.ENVIRONMENT_FAILED, Map.of("reason", e.getMessage())), e);
        }
    }

    private void commit(Attempt attempt, List<Evidence> done) {
        Evidence[] rows = done.toArray(Evidence[]::new);
        changes.apply(attempt.attemptId(), current -> Step.record(current, rows));
        done.clear();
    }

    /** Names of the projections that are variables of the child, and of those whose optional source is absent. */
    private void given(HostPolicy policy, PrepareRequest request, Map<String, String> variables, List<Evidence> done) {
        for (String id : request.projections()) {
            HostPolicy.Credential credential = policy.credentials().get(id);
            if (credential != null && credential.kind() == HostPolicy.CredentialKind.ENVIRONMENT) {
                String outcome = variables.containsKey(credential.destination()) ? "variable" : "absent";
                done.add(Evidence.of(
                        clock.instant(),
                        EvidenceKind.CREDENTIAL_MATERIALIZED,
                        Map.of("projection", id, "outcome", outcome)));
            }
        }
    }

    private static List<String> arguments(
            WorkdirSetup.Workdir workdir, List<String> configured, PrepareRequest request) {
        return Stream.of(workdir.arguments(), configured, request.launch().argv())
                .flatMap(List::stream)
                .toList();
    }

    private SpawnOrder order(
            Attempt attempt,
            PrepareRequest request,
            List<String> arguments,
            Path directory,
            Map<String, String> variables) {
        PrepareRequest.Launch launch = request.launch();
        SpawnOrder.Log log = request.output().recipient() == RecipientKind.LOG
                ? new SpawnOrder.Log(
                        host.layout().outputDirectory(attempt.attemptKey()).toString(),
                        request.output().truncation())
                : null;
        HostPolicy.Output buffer = host.policy().output();
        return new SpawnOrder(
                attempt.attemptKey(),
                attempt.nonce(),
                attempt.executablePath(),
                arguments,
                variables,
                directory.toString(),
                launch.window(),
                launch.stdin() == null ? null : launch.stdin().getBytes(StandardCharsets.UTF_8),
                launch.stdinEof(),
                attempt.requiredCleanup(),
                request.timeouts().drainMs(),
                request.timeouts().retainMs(),
                log,
                request.executable(),
                attempt.attachmentGeneration(),
                new SpawnOrder.Buffer(buffer.outstandingChunks(), buffer.spoolBytes()));
    }
}
