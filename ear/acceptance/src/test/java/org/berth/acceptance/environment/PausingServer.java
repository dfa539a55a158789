package org.berth.acceptance.environment;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.berth.acceptance.Answer;
import org.berth.acceptance.Await;
import org.berth.acceptance.BerthServer;
import org.berth.acceptance.FaultPauses;
import org.berth.acceptance.Proc;
import org.berth.fault.FaultPoint;

/** A server that waits at chosen fault points, so that its supervisor and its environments can die meanwhile. */
final class PausingServer implements AutoCloseable {
    private static final int MOST_TRIES = 40;

    private final BerthServer server;
    private final FaultPauses pauses;

    /** Starts it. @param name of its directory */
    PausingServer(String name) {
        server = BerthServer.create(name).withGuestListener();
        pauses = new FaultPauses(server);
        server.javaOptions(pauses.option()).start();
    }

    BerthServer server() {
        return server;
    }

    /** As {@link FaultPauses#during}. */
    Answer during(FaultPoint point, Supplier<Answer> ask, Runnable meanwhile) {
        return pauses.during(point, ask, meanwhile);
    }

    /** Waits until the server has a supervisor. */
    void awaitSupervisor() {
        Await.until(
                "a supervisor is there",
                () -> server.api().get("/healthz").text("supervisor").equals("up"));
    }

    /** Ends every process of the environment {@code key}, and waits until they are gone. */
    void kill(String key) {
        List<Long> all = tree(key);
        all.forEach(pid -> ProcessHandle.of(pid).ifPresent(ProcessHandle::destroyForcibly));
        Await.until("the environment is dead", () -> all.stream().noneMatch(Proc::lives));
    }

    /** The processes whose command lines name the environment's directory, and all below them. */
    List<Long> tree(String key) {
        return ProcessHandle.allProcesses()
                .filter(each -> String.join(" ", Proc.arguments(each.pid())).contains("/environments/" + key))
                .flatMap(each -> Stream.concat(Stream.of(each), each.descendants()))
                .map(ProcessHandle::pid)
                .distinct()
                .toList();
    }

    /** The directory of the environment {@code key}. */
    Path directory(String key) {
        return server.home().resolve("environments").resolve(key);
    }

    /** What names directory and processes of an environment. */
    static String key(String resourceId) {
        return resourceId.replace("-", "");
    }

    /**
     * A deletion of the bound environment comes to its end, and its end is the truth.
     *
     * @param first the operation to begin with
     * @param generation null while the binding has none
     */
    void delete(EnvironmentWorld world, String key, String first, String generation) {
        for (int i = 0; ; i++) {
            String operation = i == 0 ? first : world.id("delete-" + key.substring(0, 8) + "-" + i);
            Answer answer = world.effect(operation, "delete-owned", generation);
            if (answer.status() == 200 && "confirmed".equals(answer.text("state"))) {
                break;
            }
            assertThat(i).as("%s", answer.text()).isLessThan(MOST_TRIES);
            awaitSupervisor();
        }
        assertThat(tree(key)).as("processes of %s", key).isEmpty();
        assertThat(directory(key)).doesNotExist();
    }

    @Override
    public void close() {
        String home = server.home() + "/environments/";
        server.close();
        // An environment outlives its server.
        ProcessHandle.allProcesses()
                .filter(each -> String.join(" ", Proc.arguments(each.pid())).contains(home))
                .forEach(ProcessHandle::destroyForcibly);
    }
}
