package org.berth.placement.service;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.berth.access.Caller;
import org.berth.host.HostPolicy;
import org.berth.host.SecretSource;
import org.berth.placement.Attempt;
import org.berth.placement.Capability;
import org.berth.placement.ExitObservation;
import org.berth.placement.LaunchMode;
import org.berth.placement.OutputTruncation;
import org.berth.placement.PrepareRequest;
import org.berth.placement.RecipientKind;
import org.berth.placement.ResourceAccess;
import org.berth.placement.ResourcePurpose;

/**
 * Admits what the server places for a session: attempts as any other, with the host's environment and the operator's umask.
 * Their output has a recipient from the start, so that no byte passes before somebody listens. Source: harness.md, S2.
 */
@ApplicationScoped
public class InternalAdmission {
    /** What such attempts name as their policy; nobody else may. */
    public static final String POLICY = "berth:internal";

    private static final String NO_DIGEST = "0".repeat(64);
    private static final String SHELL = "/bin/sh";
    private static final String ENV = "/usr/bin/env";
    private static final Pattern OWN =
            Pattern.compile("(BERTH|JBOSS|WILDFLY)_.*|JAVA_OPTS|JAVA_TOOL_OPTIONS|JDK_JAVA_OPTIONS");
    private static final Pattern UMASK = Pattern.compile("0?[0-7]{3}");
    private static final String DEFAULT_UMASK = "022";
    private static final PrepareRequest.Timeouts TIMEOUTS = new PrepareRequest.Timeouts(15_000, 1_000, 1_000, 30_000);

    @Inject
    private PrepareService prepares;

    @Inject
    private AttachService attaches;

    /**
     * What to place.
     *
     * @param attemptId chosen by the caller, unique over all owners
     * @param actionId groups what belongs together, such as all of one session
     * @param binding what the attempt is bound to, as a ref
     * @param kind what it is, as an identifier
     * @param command the program, absolute or found on the child's PATH, and its arguments
     * @param variables of the server's own beside the host's environment; no secrets, since they are arguments
     * @param directory where it works
     * @param recipient LOG keeps all output in the attempt's log, too
     * @param merged whether standard error goes where standard output goes
     */
    public record Launch(
            String attemptId,
            String actionId,
            String binding,
            String kind,
            List<String> command,
            Map<String, String> variables,
            Directory directory,
            RecipientKind recipient,
            boolean merged) {}

    /** A directory that the owner was given: by a grant, or as a place below an admitted root. */
    public record Directory(String grantRef, String rootRef, String subpath) {}

    /**
     * Records the intent, and allocates its recipient's generation, which is 1.
     *
     * @throws org.berth.problem.BerthException DENIED, CONFLICT, UNSUPPORTED_CAPABILITY, UNAVAILABLE, STORAGE
     */
    public CompletionStage<Attempt> admit(Caller owner, Launch launch) {
        return prepares.prepareInternal(owner, request(owner, launch))
                .thenCompose(prepared -> prepared.attempt().attachmentGeneration() > 0
                        ? CompletableFuture.completedStage(prepared.attempt())
                        : attaches.attach(owner, prepared.attempt().attemptId()));
    }

    private static PrepareRequest request(Caller owner, Launch launch) {
        return new PrepareRequest(
                launch.attemptId(),
                owner.ownerId(),
                1,
                launch.actionId(),
                launch.attemptId(),
                launch.binding(),
                NO_DIGEST,
                POLICY,
                launch.kind(),
                NO_DIGEST,
                null,
                new PrepareRequest.Launch(
                        SHELL,
                        arguments(launch),
                        null,
                        false,
                        false,
                        List.of(),
                        "cwd",
                        null,
                        LaunchMode.PIPES,
                        null,
                        null),
                Map.of(),
                Map.of(),
                List.of(new PrepareRequest.Resource(
                        "cwd",
                        launch.directory().grantRef(),
                        launch.directory().rootRef(),
                        launch.directory().subpath(),
                        ResourceAccess.WRITE,
                        ResourcePurpose.PROJECT)),
                List.of(),
                null,
                Map.of(),
                null,
                Capability.PROCESS_GROUP,
                ExitObservation.INDEPENDENT,
                TIMEOUTS,
                new PrepareRequest.Output(launch.recipient(), OutputTruncation.OFF));
    }

    /** The command under the operator's umask, which the supervisor's own files do not have. */
    private static List<String> arguments(Launch launch) {
        List<String> arguments = new ArrayList<>(List.of(
                "-c", "umask " + umask() + (launch.merged() ? "; exec 2>&1" : "") + "; exec \"$@\"", SHELL, ENV));
        new TreeMap<>(launch.variables()).forEach((name, value) -> arguments.add(name + "=" + value));
        arguments.addAll(launch.command());
        return List.copyOf(arguments);
    }

    /** As the server was started with: three or four octal digits. */
    public static String umask() {
        String given = System.getenv("BERTH_UMASK");
        if (given != null && UMASK.matcher(given.strip()).matches()) {
            return given.strip();
        }
        try {
            // The server's own, where nothing else is known: it was started by other means than berth-server.
            return Files.readAllLines(Path.of("/proc/self/status")).stream()
                    .filter(line -> line.startsWith("Umask:"))
                    .map(line -> line.substring("Umask:".length()).strip())
                    .findFirst()
                    .orElse(DEFAULT_UMASK);
        } catch (IOException e) {
            return DEFAULT_UMASK;
        }
    }

    /** The host's environment without what is the server's own, and without what holds a secret for others. */
    public static Map<String, String> environment(HostPolicy policy, Map<String, String> host) {
        Set<String> secret = secretVariables(policy);
        Map<String, String> variables = new TreeMap<>(host);
        variables.keySet().removeIf(name -> OWN.matcher(name).matches() || secret.contains(name));
        variables.putIfAbsent("PATH", String.join(":", policy.path()));
        return variables;
    }

    private static Set<String> secretVariables(HostPolicy policy) {
        return Stream.concat(
                        policy.references().values().stream(),
                        policy.credentials().values().stream().map(HostPolicy.Credential::source))
                .filter(SecretSource.FromEnvironment.class::isInstance)
                .map(source -> ((SecretSource.FromEnvironment) source).name())
                .collect(Collectors.toSet());
    }
}
