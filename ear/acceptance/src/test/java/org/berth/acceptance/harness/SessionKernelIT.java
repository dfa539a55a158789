package org.berth.acceptance.harness;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.berth.acceptance.Api;
import org.berth.acceptance.Await;
import org.berth.acceptance.BerthServer;
import org.berth.acceptance.Proc;
import org.junit.jupiter.api.Test;

/** Cells of a session's own kernel, and calls of its tools. Source: harness.md, Kernel and transport. */
class SessionKernelIT {
    private final BerthServer server = BerthServer.shared();
    private final Api api = server.api();
    private final Path directory = server.directory("kernel");

    private Map<String, Object> cell(Session session, String code) {
        return session.post("/cells", Map.of("code", code)).expect(200).json();
    }

    private Map<String, Object> call(Session session, String tool, Map<String, ?> args) {
        return session.post("/tool-calls", Map.of("tool", tool, "args", args))
                .expect(200)
                .json();
    }

    @Test
    void names_stay_from_cell_to_cell_and_a_failure_is_told_with_its_trace() {
        Session session = Session.open(api, directory);
        assertThat(cell(session, "x = 20\nprint('so')\nx + 1"))
                .containsEntry("status", "ok")
                .containsEntry("result", "21")
                .containsEntry("output", "so\n");
        assertThat(cell(session, "import asyncio\nawait asyncio.sleep(0)\nx * 2"))
                .containsEntry("result", "40");
        Map<String, Object> failed = cell(session, "1/0");
        assertThat(failed).containsEntry("status", "error").containsEntry("result", null);
        assertThat(member(failed, "error")).containsEntry("name", "ZeroDivisionError");
        assertThat(cell(session, "x")).containsEntry("result", "20");
        session.end().expect(200);
    }

    @Test
    void what_a_child_process_writes_belongs_to_the_cell_and_is_bounded_and_counted() throws Exception {
        Session session =
                Session.open(api, directory, "truncation", Map.of("on", Map.of("bytes", 1000, "lines", 100000)));
        Map<String, Object> answer =
                cell(session, "import subprocess\n_ = subprocess.run(['sh', '-c', 'head -c 300000 /dev/zero'])");
        assertThat(answer)
                .containsEntry("status", "ok")
                .containsEntry("keptBytes", 1000L)
                .containsEntry("droppedBytes", 299_000L);
        byte[] whole = new byte[300_000];
        assertThat(Path.of((String) answer.get("artifact"))).hasBinaryContent(whole);
        assertThat(Session.kept(answer)).isEqualTo(Arrays.copyOf(whole, 1000));
        session.end().expect(200);
    }

    @Test
    void a_kernel_that_dies_is_a_loud_fault_and_the_next_cell_has_a_new_one() {
        Session session = Session.open(api, directory);
        // No snapshot keeps a generator.
        assertThat(cell(session, "x = (i for i in ())")).containsEntry("status", "ok");
        Map<String, Object> fault = cell(session, "import os\nos._exit(3)");
        assertThat(fault).containsEntry("status", "fault");
        assertThat(member(fault, "error")).containsKey("text");
        Map<String, Object> anew = cell(session, "x");
        assertThat(member(anew, "error")).containsEntry("name", "NameError");
        session.end().expect(200);
    }

    @Test
    void files_are_read_and_written_in_the_sessions_directory_and_nowhere_else() throws Exception {
        Session session = Session.open(api, directory);
        assertThat(cell(session, "_ = await fs.write('made.txt', 'one\\ntwo\\n')\n(await fs.read('made.txt'))['text']"))
                .containsEntry("result", "'one\\ntwo\\n'");
        assertThat(directory.resolve("made.txt")).hasContent("one\ntwo\n");
        Files.createSymbolicLink(directory.resolve("out"), Path.of("/etc"));
        for (String outside : List.of("/etc/passwd", "../../../../etc/passwd", "out/passwd")) {
            Map<String, Object> refused = cell(session, "await fs.read('" + outside + "')");
            assertThat(refused).as(outside).containsEntry("status", "error");
            assertThat(member(refused, "error")).as(outside).containsEntry("name", "FsError");
        }
        session.end().expect(200);
    }

    @Test
    void a_cell_that_outlives_the_budget_goes_on_as_a_job_that_can_be_cancelled() {
        Session session = Session.open(api, directory, "toolBlockingBudgetMs", 2000);
        cell(session, "import time");
        Map<String, Object> answer = cell(session, "print('before', flush=True)\ntime.sleep(600)");
        String job = (String) member(answer, "detached").get("job");
        assertThat(answer).containsEntry("output", "before\n");
        assertThat(session.running()).containsExactly(job);
        session.cancel(job);
        session.awaitEnd(job);
        assertThat(session.running()).isEmpty();
        assertThat(cell(session, "'still'")).containsEntry("result", "'still'");
        session.end().expect(200);
    }

    @Test
    void a_function_of_the_kernel_is_a_tool_and_each_call_is_an_entry_with_what_it_reported() {
        Session session = Session.open(api, directory);
        cell(session, "@remote\ndef twice(text: str) -> str:\n    return text * 2");
        Map<String, Object> called = call(session, "remote/twice", Map.of("text", "ab"));
        assertThat(called).containsEntry("status", "ok").containsEntry("result", "abab");
        Map<String, Object> ran = call(session, "bash", Map.of("command", "echo hi; exit 2"));
        assertThat(member(ran, "result")).containsEntry("exitCode", 2L);
        call(session, "fs.write", Map.of("path", "t.txt", "text", "old text\n"));
        call(session, "fs.edit", Map.of("path", "t.txt", "edits", List.of(Map.of("oldText", "old", "newText", "new"))));
        assertThat(directory.resolve("t.txt")).hasContent("new text\n");
        assertThat(call(session, "fs.grep", Map.of("pattern", "new"))).containsEntry("status", "ok");
        session.post("/tool-calls", Map.of("tool", "nothing", "args", Map.of())).expectProblem(400, "INVALID");
        assertThat(session.entries())
                .extracting(entry -> entry.get("kind"))
                .containsOnly("tool_result")
                .hasSize(5);
        session.end().expect(200);
    }

    @Test
    void the_end_of_a_session_ends_its_kernel() {
        Session session = Session.open(api, directory);
        long pid =
                Long.parseLong((String) cell(session, "import os\nos.getpid()").get("result"));
        assertThat(Proc.lives(pid)).isTrue();
        session.end().expect(200);
        Await.until("the kernel is gone", () -> !Proc.lives(pid));
    }

    private Path snapshot(Session session) {
        return server.home().resolve("harness").resolve(session.id()).resolve("namespace.snapshot");
    }

    @Test
    void a_kernel_that_is_killed_leaves_its_names_to_the_next_one() throws Exception {
        Session session = Session.open(api, directory);
        long pid = Long.parseLong((String) cell(session, "import os\nx = 41\ng = (i for i in ())\nos.getpid()")
                .get("result"));
        Await.until("the names are saved", () -> Files.exists(snapshot(session)));
        assertThat(Files.getPosixFilePermissions(snapshot(session)))
                .isEqualTo(PosixFilePermissions.fromString("rw-------"));
        ProcessHandle.of(pid).orElseThrow().destroyForcibly();
        Await.until("the kernel is gone", () -> !Proc.lives(pid));
        List<Map<String, Object>> answers = new ArrayList<>();
        // One that was sent before the server knew of the end is a fault.
        Await.until("a cell in a new kernel", () -> {
            answers.add(cell(session, "x + 1"));
            return "ok".equals(answers.getLast().get("status"));
        });
        assertThat(answers.getLast()).containsEntry("result", "42");
        assertThat((String) answers.getLast().get("diagnostic"))
                .contains("names that came back: 2")
                .contains("could not be kept: g (");
        assertThat(cell(session, "g")).containsEntry("status", "error").doesNotContainKey("diagnostic");
        session.end().expect(200);
    }

    @Test
    void a_session_that_is_opened_again_has_its_names() {
        Session session = Session.open(api, directory);
        cell(session, "x = [1, 2]");
        session.end().expect(200);
        assertThat(snapshot(session)).as("saved by the end itself").exists();
        session.post("/reopen", Map.of()).expect(200);
        Map<String, Object> answer = cell(session, "x");
        assertThat(answer).containsEntry("result", "[1, 2]").containsKey("diagnostic");
        session.end().expect(200);
    }

    @SuppressWarnings("unchecked")
    private static Map<String, Object> member(Map<String, Object> of, String name) {
        return (Map<String, Object>) of.get(name);
    }
}
