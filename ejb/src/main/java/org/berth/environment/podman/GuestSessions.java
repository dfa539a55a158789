package org.berth.environment.podman;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.berth.engine.Engine;
import org.berth.engine.ExecStream;
import org.berth.environment.EnvironmentRules;
import org.berth.environment.driver.GuestReplies;
import org.berth.json.StrictJson;
import org.berth.placement.CanonicalJson;
import org.berth.problem.BerthException;
import org.berth.problem.ProblemCode;

/**
 * Helpers that stay open in their containers, one for each environment, since a start costs more than an answer. One that
 * was cut is started again. For any thread; requests to one environment wait for each other. Source: environments.md,
 * Podman's supervisor container.
 */
final class GuestSessions implements AutoCloseable {
    private static final int CALL_MILLIS = 20_000;
    private static final int MAX_REPLY = 2 * 1024 * 1024;
    private static final List<String> SERVE =
            List.of(Workload.HELPER, "--serve", "--root", EnvironmentRules.GUEST_ROOT);

    private final Map<Key, Session> open = new ConcurrentHashMap<>();

    /** A container of one engine. */
    private record Key(Path socket, String container) {}

    /** One helper and whose turn it is; {@code stream} is null while none runs. */
    private static final class Session {
        final ReentrantLock turn = new ReentrantLock();
        ExecStream stream;
        long sent;
    }

    /**
     * One request and its reply, which is {@code ok}.
     *
     * @param data what goes with it; null for nothing
     * @throws BerthException the guest's refusal; environment_guest_unconfirmed when no reply came, whether or not the
     *     request was carried out
     */
    Map<String, Object> call(Engine engine, Path socket, String container, List<String> arguments, byte[] data) {
        Session session = open.computeIfAbsent(new Key(socket, container), _ -> new Session());
        try {
            if (!session.turn.tryLock(CALL_MILLIS, TimeUnit.MILLISECONDS)) {
                throw unconfirmed("The environment's helper is busy.", null);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw unconfirmed("The wait for the environment's helper was interrupted.", e);
        }
        try {
            return GuestReplies.done(exchange(session, engine, container, arguments, data));
        } catch (IOException e) {
            close(session);
            throw unconfirmed("The environment's helper did not answer (" + e.getMessage() + ").", e);
        } finally {
            session.turn.unlock();
        }
    }

    private static Map<String, Object> exchange(
            Session session, Engine engine, String container, List<String> arguments, byte[] data) throws IOException {
        if (session.stream != null && !session.stream.quiet()) {
            close(session);
        }
        if (session.stream == null) {
            session.stream = engine.exec(container, SERVE);
        }
        long id = ++session.sent;
        Map<String, Object> request = new LinkedHashMap<>();
        request.put("id", id);
        request.put("args", arguments);
        if (data != null) {
            request.put("data", Base64.getEncoder().encodeToString(data));
        }
        byte[] line = session.stream.exchange(
                CanonicalJson.write(request).getBytes(StandardCharsets.UTF_8), MAX_REPLY, CALL_MILLIS);
        return reply(line, id);
    }

    @SuppressWarnings("unchecked")
    private static Map<String, Object> reply(byte[] line, long id) throws IOException {
        try {
            Map<String, Object> answer = StrictJson.object(line);
            if (Long.valueOf(id).equals(answer.get("id")) && answer.get("reply") instanceof Map<?, ?> reply) {
                return (Map<String, Object>) reply;
            }
        } catch (BerthException e) {
            throw new IOException("its reply cannot be read", e);
        }
        throw new IOException("its reply belongs to no request");
    }

    /** Ends the helper of {@code container}, where one is open. */
    void end(Path socket, String container) {
        Session session = open.remove(new Key(socket, container));
        if (session != null) {
            session.turn.lock();
            try {
                close(session);
            } finally {
                session.turn.unlock();
            }
        }
    }

    private static void close(Session session) {
        if (session.stream != null) {
            session.stream.close();
            session.stream = null;
        }
    }

    @Override
    public void close() {
        open.keySet().forEach(key -> end(key.socket(), key.container()));
    }

    private static BerthException unconfirmed(String sentence, Exception cause) {
        return new BerthException(ProblemCode.ENVIRONMENT_GUEST_UNCONFIRMED, sentence, cause);
    }
}
