package org.berth.startup.service;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.berth.access.Caller;
import org.berth.access.Role;
import org.berth.environment.BindingRecord;
import org.berth.environment.EnvironmentViewers;
import org.berth.environment.ViewerCommand;
import org.berth.environment.service.EnvironmentReader;
import org.berth.host.service.Host;
import org.berth.placement.Attempt;
import org.berth.placement.PrepareRequestDecoder;
import org.berth.placement.StopMode;
import org.berth.placement.service.AttemptReader;
import org.berth.placement.service.PrepareService;
import org.berth.placement.service.StartService;
import org.berth.placement.service.StopService;
import org.berth.problem.BerthException;
import org.berth.problem.ProblemCode;

/**
 * Opens and ends windows on a native's terminal. A window is an ordinary supervised attempt of Berth's owner: it can be attached
 * to, and ending it leaves native and compute as they are.
 */
@ApplicationScoped
public class ViewerService implements EnvironmentViewers {
    private static final Logger LOG = Logger.getLogger(ViewerService.class.getName());
    /** Whose attempts the windows are. Source: api.md, the owner token's principal. */
    private static final String OWNER = "owner";

    private static final int ROWS = 40;
    private static final int COLUMNS = 120;
    private static final int PATIENCE_SECONDS = 25;
    private static final long CLOSE_NANOS = TimeUnit.SECONDS.toNanos(20);
    private static final long LOOK_EVERY_NANOS = TimeUnit.MILLISECONDS.toNanos(10);
    private static final String NO_DIGEST = "0".repeat(64);

    /** What an attempt gets from the host itself. */
    private static final Set<String> GIVEN = Set.of("HOME", "PATH");

    @Inject
    private EnvironmentReader reader;

    @Inject
    private PrepareService prepares;

    @Inject
    private StartService starts;

    @Inject
    private StopService stops;

    @Inject
    private AttemptReader attempts;

    @Inject
    private Host host;

    /**
     * A new window on the binding's environment.
     *
     * @return the attempt's id
     * @throws BerthException environment_viewer_unconfirmed; the driver's own
     */
    public String open(BindingRecord record, String generation) {
        ViewerCommand command = reader.driver(record.binding()).connect(record.binding());
        String attemptId = "viewer-" + UUID.randomUUID();
        Caller caller = owner();
        try {
            prepares.prepare(caller, PrepareRequestDecoder.decode(request(attemptId, record, generation, command)))
                    .thenCompose(prepared -> starts.start(caller, attemptId))
                    .toCompletableFuture()
                    .get(PATIENCE_SECONDS, TimeUnit.SECONDS);
            return attemptId;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw unconfirmed(e);
        } catch (ExecutionException | CompletionException | TimeoutException | BerthException e) {
            throw unconfirmed(e);
        }
    }

    @Override
    public boolean close(String bindingId) {
        Caller caller = owner();
        long deadline = System.nanoTime() + CLOSE_NANOS;
        Set<String> ordered = new HashSet<>();
        while (true) {
            List<Attempt> open = attempts.unfinished(host.hostId(), OWNER, actionId(bindingId));
            for (Attempt each : open) {
                if (ordered.add(each.attemptId())) {
                    stop(caller, each);
                }
            }
            if (open.isEmpty()) {
                return true;
            }
            if (System.nanoTime() - deadline > 0) {
                return false;
            }
            LockSupport.parkNanos(LOOK_EVERY_NANOS);
        }
    }

    /** A stop that fails leaves its window unfinished, and that is what is answered. */
    private void stop(Caller caller, Attempt window) {
        try {
            stops.stop(caller, window.attemptId(), StopMode.COOPERATIVE);
        } catch (BerthException e) {
            LOG.log(Level.INFO, "the end of window " + window.attemptId() + " was not ordered", e);
        }
    }

    private static Caller owner() {
        return new Caller(OWNER, Set.of(Role.OPERATOR, Role.OWNER), null);
    }

    private static String actionId(String bindingId) {
        return "view-" + bindingId;
    }

    private static Map<String, Object> request(
            String attemptId, BindingRecord record, String generation, ViewerCommand command) {
        Map<String, Object> environment = new LinkedHashMap<>(command.environment());
        environment.keySet().removeAll(GIVEN);
        environment.putIfAbsent("TERM", "xterm-256color");
        Map<String, Object> launch = new LinkedHashMap<>();
        launch.put("executable", command.argv().getFirst());
        launch.put("argv", command.argv().subList(1, command.argv().size()));
        launch.put("environment", List.copyOf(environment.keySet()));
        launch.put("mode", "window");
        launch.put("window", Map.of("rows", (long) ROWS, "cols", (long) COLUMNS));
        Map<String, Object> request = new LinkedHashMap<>();
        request.put("idempotency_key", attemptId);
        request.put("owner_id", OWNER);
        request.put("owner_incarnation", 1L);
        request.put("action_id", actionId(record.bindingId()));
        request.put("attempt_id", attemptId);
        request.put("binding_ref", record.bindingId());
        request.put("binding_digest", NO_DIGEST);
        request.put("policy_ref", "default");
        request.put("profile_id", generation);
        request.put("profile_digest", NO_DIGEST);
        request.put("launch", launch);
        request.put("environment", environment);
        request.put("required_cleanup", "process_group");
        request.put("required_exit_observation", "independent");
        return request;
    }

    private static BerthException unconfirmed(Exception cause) {
        return new BerthException(
                ProblemCode.ENVIRONMENT_VIEWER_UNCONFIRMED,
                "The window on the environment is not confirmed; its native may run. Connect again.",
                cause);
    }
}
