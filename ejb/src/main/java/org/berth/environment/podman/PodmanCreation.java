package org.berth.environment.podman;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import org.berth.engine.Engine;
import org.berth.environment.EnvironmentPlacement;
import org.berth.environment.policy.EnvironmentPolicy;
import org.berth.json.JsonText;
import org.berth.placement.CanonicalJson;
import org.berth.problem.BerthException;
import org.berth.problem.ProblemCode;

/**
 * The steps that make an environment: secret, volumes, containers, starts. Every name comes from the effect's id and every
 * step may be repeated, so that the same effect goes on where a crash cut it off.
 */
final class PodmanCreation {
    private final Engine engine;
    private final Parts parts;
    private final PodmanNames names;
    private final Workload workload;

    /**
     * What an environment is made from, everything verified.
     *
     * @param provider what the provider injects, with its secrets
     * @param helper the directory of the helper's image on this host
     * @param supervisorImage the image that the supervisor runs on
     */
    record Parts(
            String effectId,
            EnvironmentPlacement placement,
            EnvironmentPolicy policy,
            Map<String, String> provider,
            Path helper,
            String supervisorImage) {}

    PodmanCreation(Engine engine, Parts parts) {
        this.engine = engine;
        this.parts = parts;
        this.names = PodmanNames.of(parts.effectId());
        Map<String, String> labels = new LinkedHashMap<>(names.labels(parts.effectId(), parts.placement()));
        labels.put(PodmanNames.UNENFORCED, JsonText.write(unenforced(parts.policy())));
        this.workload =
                new Workload(names, labels, parts.placement(), parts.policy(), parts.helper(), parts.supervisorImage());
    }

    /** What of {@code policy} a container does not hold, a sentence each. */
    static List<String> unenforced(EnvironmentPolicy policy) {
        List<String> sentences = new ArrayList<>(policy.beyondHostAndPort(Set.of(Workload.USER)));
        if (policy.filesystem() != null) {
            sentences.add("Every file of the image can be read, not only those of filesystem_policy.read_only.");
            policy.filesystem().readWrite().stream()
                    .filter(path -> !isWritable(path))
                    .map(path -> "The image is read-only: " + path + " cannot be written.")
                    .forEach(sentences::add);
        }
        sentences.add("Processor time and memory are not bounded.");
        return sentences;
    }

    private static boolean isWritable(String path) {
        return path.equals("/tmp")
                || path.startsWith("/tmp/")
                || path.startsWith("/dev/")
                || path.equals(org.berth.environment.EnvironmentRules.GUEST_ROOT)
                || path.startsWith(org.berth.environment.EnvironmentRules.GUEST_ROOT + "/");
    }

    /**
     * Makes what is not there yet and starts it.
     *
     * @return the workload's container
     * @throws BerthException environment_name_in_use, environment_operation_changed; environment_driver_unavailable when
     *     the image cannot run the helper, with nothing left; environment_create_unconfirmed
     */
    String make() {
        try {
            secret();
            for (String volume : names.volumes()) {
                volume(volume);
            }
            String supervisor = container(workload.supervisor());
            String made = container(workload.workload());
            FutureTask<Void> starting = new FutureTask<>(() -> {
                start(supervisor);
                return null;
            });
            Thread.ofVirtual().start(starting);
            start(made);
            starting.get();
            return made;
        } catch (IOException e) {
            throw unconfirmed(e);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof BerthException refusal) {
                throw refusal;
            }
            throw unconfirmed(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw unconfirmed(e);
        }
    }

    /** A secret has no labels; it is made anew, since nothing uses it before the container is there. */
    private void secret() throws IOException {
        byte[] content = CanonicalJson.write(parts.provider()).getBytes(StandardCharsets.UTF_8);
        String path = "secrets/create?name=" + Engine.encoded(names.secret());
        Engine.Answer made = engine.postRaw(path, content);
        if (made.nameUsed()) {
            engine.delete("secrets/" + Engine.encoded(names.secret()));
            made = engine.postRaw(path, content);
        }
        require(made, "secret");
    }

    private void volume(String name) throws IOException {
        Engine.Answer made = engine.post(
                "volumes/create", Map.of("Name", name, "Labels", names.labels(parts.effectId(), parts.placement())));
        if (!made.nameUsed()) {
            require(made, "volume");
            return;
        }
        Engine.Answer found = engine.read("volumes/" + Engine.encoded(name) + "/json");
        requireOurs(found.tree() instanceof Map<?, ?> row ? row.get("Labels") : null);
    }

    /** @return its id */
    private String container(Map<String, Object> order) throws IOException {
        Engine.Answer made = engine.post("containers/create", order);
        if (made.nameUsed()) {
            made = engine.read("containers/" + Engine.encoded((String) order.get("name")) + "/json");
            requireOurs(
                    made.tree() instanceof Map<?, ?> whole && whole.get("Config") instanceof Map<?, ?> config
                            ? config.get("Labels")
                            : null);
        }
        require(made, "container");
        if (made.tree() instanceof Map<?, ?> row && row.get("Id") instanceof String id) {
            return id;
        }
        throw new IOException("the engine named no container");
    }

    private void requireOurs(Object labels) {
        Object effect = labels instanceof Map<?, ?> map ? map.get(PodmanNames.OPERATION) : null;
        if (!parts.effectId().equals(effect)) {
            throw new BerthException(
                    ProblemCode.ENVIRONMENT_NAME_IN_USE,
                    "A part of another environment has the name that is asked for.");
        }
        Object image = ((Map<?, ?>) labels).get(PodmanNames.IMAGE);
        if (!parts.placement().image().equals(image)) {
            throw new BerthException(
                    ProblemCode.ENVIRONMENT_OPERATION_CHANGED,
                    "The same effect began another environment than the one that is asked for.");
        }
    }

    private void start(String container) throws IOException {
        Engine.Answer started = engine.post("containers/" + container + "/start", null);
        if (!started.done()) {
            throw new BerthException(
                    ProblemCode.ENVIRONMENT_DRIVER_UNAVAILABLE,
                    "Podman cannot run Berth's helper in " + parts.placement().image() + ": " + started.message()
                            + ".");
        }
    }

    private static void require(Engine.Answer answer, String what) {
        if (!answer.done()) {
            throw new BerthException(
                    ProblemCode.ENVIRONMENT_CREATE_UNCONFIRMED,
                    "Podman refused to make the environment's " + what + ": " + answer.message() + ".");
        }
    }

    static BerthException unconfirmed(Exception cause) {
        return new BerthException(
                ProblemCode.ENVIRONMENT_CREATE_UNCONFIRMED,
                "Podman gave no confirmed answer; what is there of the environment is listed.",
                cause);
    }
}
