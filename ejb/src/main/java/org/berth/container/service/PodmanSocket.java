package org.berth.container.service;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.berth.container.ContainerPlan;
import org.berth.container.ContainerState;
import org.berth.engine.Engine;
import org.berth.engine.EngineHttp;
import org.berth.engine.EngineSocket;
import org.berth.problem.BerthException;
import org.berth.problem.ProblemCode;

/** A rootless Podman by the REST interface at its socket. Source: facts on Podman's REST interface. */
final class PodmanSocket implements ContainerEngine {
    private static final int MILLIS_PER_SECOND = 1000;

    private final String socket;
    private final int uid;
    private final int gid;

    PodmanSocket(String socket, int uid, int gid) {
        this.socket = socket;
        this.uid = uid;
        this.gid = gid;
    }

    /** One exchange with the engine. */
    private interface Exchange<T> {
        T with(Engine engine) throws IOException;
    }

    private <T> T ask(Exchange<T> exchange) {
        try {
            return exchange.with(
                    new Engine(new EngineHttp(EngineSocket.look(socket, uid, "").path())));
        } catch (IOException e) {
            throw new BerthException(
                    ProblemCode.UNAVAILABLE,
                    "the container engine at " + socket + " gave no whole answer; see that it runs and try again",
                    e);
        } catch (BerthException e) {
            // What the look at the socket said, in placement's own codes.
            boolean ours = e.code() == ProblemCode.UNAVAILABLE
                    || e.code() == ProblemCode.NOT_FOUND
                    || e.code() == ProblemCode.CONFLICT;
            throw ours ? e : new BerthException(ProblemCode.UNAVAILABLE, e.getMessage(), e);
        }
    }

    private static String container(String id) {
        return "containers/" + Engine.encoded(id);
    }

    @Override
    public String name() {
        return socket;
    }

    @Override
    public String version() {
        return ask(engine -> "podman " + engine.version());
    }

    @Override
    public Optional<Created> create(ContainerPlan plan, Path scratch) {
        return ask(engine -> {
            Engine.Answer answer = engine.post("containers/create", PodmanSpec.of(plan, uid + ":" + gid));
            if (answer.done() && answer.tree() instanceof Map<?, ?> tree && tree.get("Id") instanceof String id) {
                return Optional.of(new Created(id, tree.get("Warnings") instanceof List<?> list ? list.size() : 0));
            }
            if (answer.nameUsed()) {
                return Optional.empty();
            }
            if (answer.message().contains("image not known") || answer.message().contains("no such image")) {
                throw EngineRefusals.image(plan.image());
            }
            throw EngineRefusals.create(answer.status());
        });
    }

    @Override
    public Optional<ContainerState> find(String idOrName) {
        return ask(engine -> {
            Engine.Answer answer = engine.read(container(idOrName) + "/json");
            return switch (answer.status()) {
                case Engine.FOUND -> Optional.of(InspectAnswer.read(answer.tree()));
                case Engine.MISSING -> Optional.empty();
                default -> throw new IOException("status " + answer.status());
            };
        });
    }

    @Override
    public List<String> labelled(String label, String value) {
        return ask(engine -> engine.rows("containers", "all=true&", Map.of(label, value)).stream()
                .map(row -> String.valueOf(row.get("Id")))
                .toList());
    }

    @Override
    public void stop(String id, int graceMillis) {
        int seconds = Math.ceilDiv(graceMillis, MILLIS_PER_SECOND);
        effect(engine -> engine.post(container(id) + "/stop?timeout=" + seconds, null, graceMillis), "stopped");
    }

    @Override
    public void kill(String id) {
        ask(engine -> {
            Engine.Answer answer = engine.post(container(id) + "/kill?signal=KILL", null);
            // 409: it does not run.
            if (!answer.done()
                    && answer.status() != Engine.MISSING
                    && !answer.message().contains("can only kill")) {
                throw EngineRefusals.effect("killed", answer.status());
            }
            return null;
        });
    }

    @Override
    public void remove(String id) {
        effect(engine -> engine.delete(container(id) + "?force=true&timeout=0&v=false"), "removed");
    }

    private void effect(Exchange<Engine.Answer> exchange, String done) {
        Engine.Answer answer = ask(exchange);
        if (!answer.done() && answer.status() != Engine.MISSING) {
            throw EngineRefusals.effect(done, answer.status());
        }
    }
}
