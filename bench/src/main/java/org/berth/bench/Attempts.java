package org.berth.bench;

import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import java.util.stream.Collectors;

/** The contract operations of attempts over one connection, as a good client would use them. */
final class Attempts implements AutoCloseable {
    private static final String ROUTE = "/api/placement/attempts";
    private static final String ANY_DIGEST = "0".repeat(64);
    /** Cleanups that came before the exit was recorded. */
    private static final int MAX_CLEANUPS = 200;

    private final HttpConnection http;

    Attempts(Target target) throws IOException {
        http = new HttpConnection(target);
    }

    HttpConnection http() {
        return http;
    }

    /** Returns the new attempt's id. The command needs no quoting in JSON. */
    String prepare(String... command) throws IOException {
        return prepare(Extra.NONE, command);
    }

    /**
     * What a request says beside its command.
     *
     * @param policy its ref and digests, as members of the request
     * @param inLaunch further members of {@code launch}, each with a comma before it
     * @param beside further members of the request, each with a comma before it
     */
    record Extra(String policy, String inLaunch, String beside) {
        static final Extra NONE = new Extra(
                "\"policy_ref\":\"default\",\"binding_digest\":\"" + ANY_DIGEST + "\",\"profile_digest\":\""
                        + ANY_DIGEST + "\"",
                "",
                "");
    }

    /** As {@link #prepare(String...)}, with more than a command. */
    String prepare(Extra extra, String... command) throws IOException {
        String id = UUID.randomUUID().toString();
        List<String> arguments = Arrays.asList(command).subList(1, command.length);
        String argv = arguments.stream().map(each -> "\"" + each + "\"").collect(Collectors.joining(","));
        http.post(
                        ROUTE,
                        "{\"idempotency_key\":\"" + id
                                + "\",\"owner_id\":\"owner\",\"owner_incarnation\":1,\"action_id\":\""
                                + id + "\",\"attempt_id\":\"" + id
                                + "\",\"binding_ref\":\"default\",\"profile_id\":\"batch\"," + extra.policy()
                                + ",\"launch\":{\"executable\":\"" + command[0] + "\",\"argv\":[" + argv
                                + "]" + extra.inLaunch() + "}" + extra.beside()
                                + ",\"required_cleanup\":\"process_group\""
                                + ",\"required_exit_observation\":\"independent\"}")
                .accepted();
        return id;
    }

    /** Answers the state in which the attempt is now. */
    String start(String id) throws IOException {
        return http.post(ROUTE + "/" + id + "/start", null).accepted().text("execution_state");
    }

    /** Waits with long polls until the exit was told. */
    void awaitExit(String id) throws IOException {
        long after = 0;
        while (true) {
            Answer poll = http.get(ROUTE + "/" + id + "/output?wait=20&after=" + after)
                    .accepted();
            if (poll.has("exit")) {
                return;
            }
            after = poll.number("consumed_through");
        }
    }

    /** Until complete: the exit is told to streams before its row is committed, so that a first call may be early. */
    void cleanUp(String id) throws IOException {
        for (int i = 0; i < MAX_CLEANUPS; i++) {
            Answer answer = http.post(ROUTE + "/" + id + "/cleanup", null);
            if (answer.status() == 200 && "complete".equals(answer.text("cleanup_state"))) {
                return;
            }
            if (answer.status() != 200 && answer.status() != 409) {
                answer.accepted();
            }
        }
        throw new BenchmarkException("the cleanup of " + id + " did not complete");
    }

    /** prepare, start, exit, cleanup. */
    void launch(String... command) throws IOException {
        String id = prepare(command);
        if (!"exited".equals(start(id))) {
            awaitExit(id);
        }
        cleanUp(id);
    }

    /** Attaches a stream; answers its address. */
    String attach(String id) throws IOException {
        return http.post(ROUTE + "/" + id + "/attach", "{\"recipient\":\"stream\"}")
                .accepted()
                .text("stream_url");
    }

    void stop(String id) throws IOException {
        http.post(ROUTE + "/" + id + "/stop", "{\"mode\":\"forced\"}").accepted();
    }

    /** Whether the attempt's exit is recorded. */
    boolean isExited(String id) throws IOException {
        return "exited".equals(http.get(ROUTE + "/" + id).accepted().text("execution_state"));
    }

    @Override
    public void close() throws IOException {
        http.close();
    }
}
