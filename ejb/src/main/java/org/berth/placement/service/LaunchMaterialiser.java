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
        try {
            // First, since an agent is told of the directory where it works.
            WorkdirSetup.Workdir workdir = workdirs.setUp(attempt, request, named, mayGoOn, done);
            List<String> configured = agents.materialise(attempt, request, workdir.directory(), mayGoOn, done);
            return order(
                    attempt,
                    request,
                    arguments(workdir, configured, request),
                    workdir.directory(),
                    environment.of(host.policy(), request, home, agents.privateDefinition(request)));
        } catch (BerthException e) {
            throw new StartRefusal(
                    Evidence.of(clock.instant(), EvidenceKind.ENVIRONMENT_FAILED, Map.of("reason", e.getMessage())), e);
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
