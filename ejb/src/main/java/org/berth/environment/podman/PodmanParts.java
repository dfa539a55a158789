package org.berth.environment.podman;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.berth.engine.Engine;
import org.berth.problem.BerthException;
import org.berth.problem.ProblemCode;

/** Removes what belongs to one environment, whatever of it is there. */
final class PodmanParts {
    private final Engine engine;
    private final PodmanNames names;

    PodmanParts(Engine engine, PodmanNames names) {
        this.engine = engine;
        this.names = names;
    }

    /**
     * @param workload the workload's container; null when there is none
     * @throws BerthException environment_cleanup_unconfirmed when something may be left
     */
    void remove(String workload) {
        List<String> paths = new ArrayList<>();
        if (workload != null) {
            paths.add(container(workload));
        }
        paths.add(container(names.supervisor()));
        names.volumes().forEach(volume -> paths.add("volumes/" + Engine.encoded(volume)));
        paths.add("secrets/" + Engine.encoded(names.secret()));
        try {
            for (String path : paths) {
                Engine.Answer removed = engine.delete(path);
                if (!removed.done() && removed.status() != Engine.MISSING) {
                    throw new IOException(removed.message());
                }
            }
        } catch (IOException e) {
            throw new BerthException(
                    ProblemCode.ENVIRONMENT_CLEANUP_UNCONFIRMED,
                    "Podman did not confirm that the environment is removed (" + e.getMessage() + ").",
                    e);
        }
    }

    private static String container(String name) {
        return "containers/" + Engine.encoded(name) + "?force=true&timeout=0";
    }
}
