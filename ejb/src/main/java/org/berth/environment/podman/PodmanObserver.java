package org.berth.environment.podman;

import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.berth.engine.Engine;
import org.berth.engine.EngineHttp;
import org.berth.engine.EngineSocket;
import org.berth.environment.DependentObservation;
import org.berth.environment.EnvironmentBinding;
import org.berth.environment.EnvironmentRules;
import org.berth.problem.BerthException;
import org.berth.problem.ProblemCode;

/**
 * Observes the parts of one environment on its rootless engine, read-only: exact identities before a deletion, and their
 * absence after it, which only complete answers of the same socket prove. Other resources of the engine do not matter.
 * Source: the reference's observer.
 */
public final class PodmanObserver {
    private final int uid;
    private final String host;
    private final Function<EngineSocket, Engine> engines;

    /**
     * @param uid the server's user
     * @param host this host's name
     */
    public PodmanObserver(int uid, String host) {
        this(uid, host, socket -> new Engine(new EngineHttp(socket.path())));
    }

    PodmanObserver(int uid, String host, Function<EngineSocket, Engine> engines) {
        this.uid = uid;
        this.host = host;
        this.engines = engines;
    }

    /**
     * The exact parts of {@code binding}'s resource, as JSON for {@link #observe}.
     *
     * @param socket the engine's socket
     * @throws BerthException environment_engine_unsupported, environment_engine_changed, environment_cleanup_unconfirmed
     */
    public String capture(EnvironmentBinding binding, String socket) {
        EngineSocket selected = EngineSocket.look(socket, uid, host);
        Engine engine = engines.apply(selected);
        String id = binding.resource().id();
        PodmanNames names = new PodmanNames(id);
        try {
            List<Map<String, Object>> rows = all(engine);
            List<Map<String, Object>> workloads =
                    rows.stream().filter(row -> isWorkload(row, id)).toList();
            List<Map<String, Object>> supervisors = rows.stream()
                    .filter(row -> isNamed(row, names.supervisor()))
                    .toList();
            if (workloads.size() != 1
                    || supervisors.size() != 1
                    || !binding.placement().workspace().equals(label(workloads.getFirst(), PodmanNames.WORKSPACE))) {
                throw unconfirmed("The exact workload and supervisor are not observed on this engine.", null);
            }
            Set<String> mounted = new HashSet<>();
            String workload = inspected(engine, workloads.getFirst(), mounted);
            String supervisor = inspected(engine, supervisors.getFirst(), mounted);
            if (!mounted.containsAll(names.volumes())) {
                throw unconfirmed("The volumes of the environment are not those of its containers.", null);
            }
            return new PodmanInventory(
                            selected, id, binding.placement().workspace(), workload, supervisor, names.volumes())
                    .write();
        } catch (IOException e) {
            throw unconfirmed("The engine gave no complete inventory.", e);
        }
    }

    /**
     * What of {@code inventory} is still there.
     *
     * @param inventory what {@link #capture} answered; null when nothing was captured
     * @throws BerthException environment_cleanup_unconfirmed when absence and presence are both unproven;
     *     environment_engine_unsupported, environment_engine_changed
     */
    public DependentObservation observe(EnvironmentBinding binding, String inventory) {
        PodmanInventory selected = selected(binding, inventory);
        EngineSocket now = EngineSocket.look(selected.socket().path().toString(), uid, host);
        if (!now.equals(selected.socket())) {
            throw unconfirmed("The engine's socket is not the captured one; absence there proves nothing.", null);
        }
        Engine engine = engines.apply(now);
        PodmanNames names = new PodmanNames(selected.resourceId());
        try {
            List<Map<String, Object>> rows = all(engine);
            boolean workload = rows.stream()
                    .anyMatch(row -> selected.workloadId().equals(row.get("Id"))
                            || selected.resourceId().equals(label(row, PodmanNames.ID))
                                    && PodmanNames.SANDBOX.equals(label(row, PodmanNames.ROLE)));
            boolean supervisor = rows.stream()
                    .anyMatch(row -> selected.supervisorId().equals(row.get("Id")) || isNamed(row, names.supervisor()));
            boolean volumes = false;
            for (String volume : selected.volumes()) {
                int status = engine.read("volumes/" + Engine.encoded(volume) + "/json")
                        .status();
                if (status != Engine.FOUND && status != Engine.MISSING) {
                    throw unconfirmed("The engine cannot say whether volume " + volume + " is there.", null);
                }
                volumes |= status == Engine.FOUND;
            }
            return new DependentObservation(workload, supervisor, volumes);
        } catch (IOException e) {
            throw unconfirmed("The engine gave no complete inventory.", e);
        }
    }

    private static PodmanInventory selected(EnvironmentBinding binding, String inventory) {
        if (inventory != null) {
            try {
                PodmanInventory read = PodmanInventory.read(inventory);
                if (read.resourceId().equals(binding.resource().id())
                        && read.workspace().equals(binding.placement().workspace())) {
                    return read;
                }
            } catch (IllegalArgumentException | BerthException e) {
                throw unconfirmed("The captured inventory cannot be read.", e);
            }
        }
        throw unconfirmed("No inventory of exactly this environment was captured before its deletion.", null);
    }

    /** Every container: filters of the engine are not trusted with a proof. */
    private static List<Map<String, Object>> all(Engine engine) throws IOException {
        return Engine.rows(engine.read("containers/json?all=true"));
    }

    private static boolean isWorkload(Map<String, Object> row, String id) {
        return id.equals(label(row, PodmanNames.ID))
                && PodmanNames.TRUE.equals(label(row, PodmanNames.MANAGED))
                && PodmanNames.SANDBOX.equals(label(row, PodmanNames.ROLE));
    }

    private static Object label(Map<String, Object> row, String key) {
        return row.get("Labels") instanceof Map<?, ?> labels ? labels.get(key) : null;
    }

    private static boolean isNamed(Map<String, Object> row, String name) {
        return row.get("Names") instanceof List<?> names && (names.contains(name) || names.contains("/" + name));
    }

    /** The id of {@code row}'s container, whose volumes are added to {@code mounted}. */
    private static String inspected(Engine engine, Map<String, Object> row, Set<String> mounted) throws IOException {
        if (row.get("Id") instanceof String id && EnvironmentRules.isSha256(id)) {
            Engine.Answer answer = engine.read("containers/" + id + "/json");
            if (answer.status() == Engine.FOUND
                    && answer.tree() instanceof Map<?, ?> actual
                    && id.equals(actual.get("Id"))
                    && actual.get("Mounts") instanceof List<?> mounts) {
                for (Object each : mounts) {
                    if (each instanceof Map<?, ?> mount
                            && "volume".equals(mount.get("Type"))
                            && mount.get("Name") instanceof String name) {
                        mounted.add(name);
                    }
                }
                return id;
            }
        }
        throw unconfirmed("A captured container cannot be inspected.", null);
    }

    private static BerthException unconfirmed(String sentence, Exception cause) {
        return new BerthException(ProblemCode.ENVIRONMENT_CLEANUP_UNCONFIRMED, sentence, cause);
    }
}
