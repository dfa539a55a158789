package org.berth.acceptance.harness;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.berth.acceptance.Answer;
import org.berth.acceptance.Api;
import org.berth.acceptance.Await;
import org.berth.acceptance.BerthServer;
import org.berth.acceptance.Proc;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Commands as jobs: how they end, what they run with, and that none outlives its cancel. Source: harness.md, S2. */
class SessionJobIT {
    private static final long SHORT_BUDGET_MILLIS = 300;

    private final BerthServer server = BerthServer.shared();
    private final Api api = server.api();
    private final Path directory = server.directory("jobs");

    @Test
    void aCommandThatEndsInTimeIsSettledWithItsExitCodeAndBothStreams() {
        Session session = Session.open(api, directory);
        Map<String, Object> answer =
                session.bash("echo out; echo err >&2; echo again; exit 7").json();

        assertThat(answer)
                .containsEntry("exitCode", 7L)
                .containsEntry("output", "out\nerr\nagain\n")
                .containsEntry("keptBytes", 14L)
                .containsEntry("droppedBytes", 0L)
                .containsEntry("artifact", null)
                .doesNotContainKey("detached");
        assertThat(Session.kept(answer)).asString().isEqualTo("out\nerr\nagain\n");
        Map<String, Object> job = session.job((String) answer.get("job"), 200);
        assertThat(job)
                .containsEntry("state", "exited")
                .containsEntry("kind", "bash")
                .containsEntry("exitCode", 7L)
                .containsEntry("producedBytes", 14L)
                .containsEntry("title", "echo out; echo err >&2; echo again; exit 7")
                .containsKeys("startedAt", "endedAt");
    }

    @Test
    void aCommandThatASignalEndsTellsTheShellsNumber() {
        assertThat(Session.open(api, directory).bash("kill -USR1 $$").json()).containsEntry("exitCode", 128L + 10);
    }

    @Test
    void filesOfACommandHaveTheOperatorsUmask() throws Exception {
        Session session = Session.open(api, directory);
        String mine = Files.readAllLines(Path.of("/proc/self/status")).stream()
                .filter(line -> line.startsWith("Umask:"))
                .findFirst()
                .orElseThrow()
                .replaceAll("\\D", "");
        assertThat(session.bash("touch made; umask").text("output").strip()).isEqualTo(mine);

        int mask = Integer.parseInt(mine, 8);
        Set<PosixFilePermission> modes = Files.getPosixFilePermissions(directory.resolve("made"));
        assertThat(modes.contains(PosixFilePermission.GROUP_READ)).isEqualTo((mask & 040) == 0);
        assertThat(modes.contains(PosixFilePermission.OTHERS_READ)).isEqualTo((mask & 04) == 0);
    }

    @Test
    void nothingOfTheServersOwnIsInACommandsEnvironment() {
        Session session = Session.open(api, directory);
        List<String> names = session.bash("env -0 | tr '\\n' ' ' | tr '\\0' '\\n' | sed 's/=.*//'")
                .text("output")
                .lines()
                .toList();

        assertThat(Proc.environment(server.pid()))
                .as("what must not be handed on is there")
                .anyMatch(entry -> entry.startsWith("BERTH_HOME="))
                .anyMatch(entry -> entry.startsWith("ACCEPTANCE_SECRET="));
        assertThat(names)
                .contains("PATH", "HOME", "BERTH_SESSION_ID")
                .doesNotContain("ACCEPTANCE_SECRET", "JAVA_OPTS", "JBOSS_HOME");
        assertThat(names)
                .filteredOn(name -> name.startsWith("BERTH_"))
                .containsExactlyInAnyOrder("BERTH_SESSION_ID", "BERTH_ATTEMPT_KEY");
        assertThat(session.bash("printf %s \"$BERTH_SESSION_ID\"").text("output"))
                .isEqualTo(session.id());
    }

    @Test
    void aCommandThatOutlivesTheBudgetGoesOnAsAJobWithTheOutputSoFar() {
        Session session = Session.open(api, directory, "toolBlockingBudgetMs", SHORT_BUDGET_MILLIS);
        Answer answer = session.bash("echo so far; while [ ! -e go ]; do sleep 0.1; done; echo rest; exit 3");
        String job = answer.text("detached", "job");

        assertThat(answer.number("detached", "budgetMs")).isEqualTo(SHORT_BUDGET_MILLIS);
        assertThat(answer.json()).doesNotContainKeys("exitCode", "killed");
        assertThat("so far\n").startsWith(answer.text("output"));
        Answer later = Await.value(
                "a later wait tells what was written", () -> session.await(job), each -> each.number("keptBytes") > 0);
        assertThat(later.text("detached", "job")).isEqualTo(job);
        assertThat(later.text("output")).isEqualTo("so far\n");
        assertThat(session.job(job, 200)).containsEntry("state", "running").doesNotContainKey("endedAt");
        session.bash("touch go");
        assertThat(session.awaitEnd(job).json())
                .containsEntry("exitCode", 3L)
                .containsEntry("output", "so far\nrest\n")
                .containsEntry("keptBytes", 12L);
    }

    @Test
    void aWaitEndsAtItsOwnTimeAndNeverAfterTheBudget() {
        Session session = Session.open(api, directory, "toolBlockingBudgetMs", SHORT_BUDGET_MILLIS);
        String job = session.job("sleep 300");
        Answer none =
                session.post("/jobs/" + job + "/wait", Map.of("timeoutMs", 0L)).expect(200);
        assertThat(none.text("detached", "job")).isEqualTo(job);
        Answer most = session.post("/jobs/" + job + "/wait", Map.of("timeoutMs", 600_000L))
                .expect(200);
        assertThat(most.number("detached", "budgetMs")).isEqualTo(SHORT_BUDGET_MILLIS);
        session.cancel(job);
        assertThat(session.awaitEnd(job).json()).containsEntry("killed", true);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "sleep 300",
                "exec >&- 2>&-; sleep 300",
                "sleep 300 & wait",
                "trap '' TERM HUP INT; sleep 300 & wait; sleep 300",
                "sleep 300 | cat"
            })
    void aCancelEndsTheWholeProcessGroup(String command) {
        Session session = Session.open(api, directory);
        String job = session.job("echo $$ > pid.new; mv pid.new pid; " + command);
        long group = group();
        assertThat(Proc.group(group)).isNotEmpty();

        Map<String, Object> answer = session.cancel(job).json();

        assertThat(answer).containsEntry("killed", true).doesNotContainKeys("exitCode", "detached");
        Await.until("no process of the group is left", () -> Proc.group(group).isEmpty());
        assertThat(session.job(job, 200)).containsEntry("state", "killed");
        assertThat(session.cancel(job).json()).isEqualTo(answer);
    }

    @Test
    void anEndIsFinalAndACancelAfterItChangesNothing() {
        Session session = Session.open(api, directory);
        String job = session.job("echo x; exit 4");
        Map<String, Object> end = session.awaitEnd(job).json();
        assertThat(end).containsEntry("exitCode", 4L);

        assertThat(session.cancel(job).json()).isEqualTo(end);
        assertThat(session.job(job, 200)).containsEntry("state", "exited").containsEntry("exitCode", 4L);
    }

    @Test
    void outputAfterTheEndIsIgnored() throws Exception {
        Session session = Session.open(api, directory);
        try (SessionEventClient events = new SessionEventClient(session)) {
            String job = session.job("setsid sh -c 'trap \"\" PIPE; while [ ! -e go ]; do sleep 0.1; done; echo late;"
                    + " touch wrote' & echo early; exit 6");
            Map<String, Object> end = session.awaitEnd(job).json();
            assertThat(end).containsEntry("exitCode", 6L).containsEntry("output", "early\n");

            session.bash("touch go; while [ ! -e wrote ]; do sleep 0.1; done");

            assertThat(session.await(job).json()).isEqualTo(end);
            assertThat(session.job(job, 200)).containsEntry("output", "early\n").containsEntry("producedBytes", 6L);
            assertThat(events.events())
                    .filteredOn(event -> job.equals(event.data().get("job")))
                    .last()
                    .satisfies(event -> assertThat(event.name()).isEqualTo("job_end"));
        }
    }

    @Test
    void aRunningJobIsInThePromptAndInTheStateAndIsGoneAfterItsEnd() {
        Session session = Session.open(api, directory);
        assertThat(session.prompt()).isEmpty();
        assertThat(session.documents()).isEmpty();
        String first = session.job("sleep 300");
        Await.until("one document", () -> session.documents().equals(List.of(first)));
        assertThat(session.prompt()).containsEntry("running-jobs", "1 job is running: " + first);
        String second = session.job("sleep 300");
        Await.until("two documents", () -> session.documents().size() == 2);
        assertThat(session.prompt().get("running-jobs").toString())
                .startsWith("2 jobs are running: ")
                .contains(first, second);

        session.cancel(first);
        session.cancel(second);

        Await.until("no document", () -> session.documents().isEmpty());
        assertThat(session.prompt()).doesNotContainKey("running-jobs");
    }

    @Test
    void anUnknownJobIsNotFound() {
        Session session = Session.open(api, directory);
        session.job("nothing", 404);
        session.post("/jobs/nothing/wait", Map.of()).expectProblem(404, "NOT_FOUND");
        session.post("/jobs/nothing/cancel", Map.of()).expectProblem(404, "NOT_FOUND");
    }

    /** The process group of the command that wrote its id. */
    private long group() {
        Path file = directory.resolve("pid");
        return Long.parseLong(Await.value(
                        "a pid in " + file,
                        () -> Files.exists(file, LinkOption.NOFOLLOW_LINKS) ? Files.readString(file) : "",
                        text -> text.endsWith("\n"))
                .strip());
    }
}
