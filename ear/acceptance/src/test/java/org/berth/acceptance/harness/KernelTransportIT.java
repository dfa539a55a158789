package org.berth.acceptance.harness;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import org.berth.acceptance.BerthServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Kernels under wrappers that the operator defined, honest and hostile ones. Source: harness.md, S3 and Kernel and transport. */
class KernelTransportIT {
    private static final String PROGRAM = """
            import json, sys
            mode = sys.argv[1]
            out = sys.stdout.buffer
            def say(**frame):
                out.write(json.dumps(frame).encode() + b"\\n"); out.flush()
            def ask(id, type, **fields):
                say(event="host_request", id=id, data={"type": type, **fields})
            def reply():
                while True:
                    frame = json.loads(sys.stdin.readline() or "{}")
                    if frame.get("type") == "host_reply": return frame["data"]
                    if not frame: sys.exit(0)
            say(event="ready", id=None, protocol=3, python="hostile")
            for line in sys.stdin:
                request = json.loads(line)
                if request.get("type") != "execute": continue
                id, result = request["id"], None
                if mode == "garbage": out.write(b"this is no frame\\n"); out.flush()
                elif mode == "bytes": out.write(b"\\xff\\xfe{}\\n"); out.flush()
                elif mode == "unserved": ask(id + "a", "nobody.serves"); result = reply()["status"]
                elif mode == "reused":
                    ask(id + "b", "fs.glob", cwd=CWD, pattern="*"); first = reply()["status"]
                    ask(id + "b", "fs.glob", cwd=CWD, pattern="*"); result = first + " " + reply()["status"]
                elif mode == "flood":
                    for i in range(100000): out.write(b'{"event":"stdout","id":"%s","text":"x"}\\n' % id.encode())
                    result = "flooded"
                elif mode == "large":
                    out.write(b'{"event":"display","id":"%s","data":{"text/plain":"' % id.encode())
                    for i in range(48): out.write(b"x" * 1048576)
                    out.write(b'"}}\\n'); result = "dropped"
                elif mode == "oversized":
                    out.write(b'{"event":"host_request","id":"%s-c","data":{"type":"fs.write","text":"' % id.encode())
                    for i in range(48): out.write(b"x" * 1048576)
                    out.write(b'"}}\\n'); out.flush(); result = reply()["status"]
                if result is not None:
                    say(event="result", id=id, text=result)
                    say(event="done", id=id, status="ok")
            """;

    /** A wrapper of the shape of ssh. */
    private static final Path FAR = Path.of(System.getProperty("berth.root"))
            .resolve("harness/src/test/resources/org/berth/harness/kernel/far.py");

    /** Only a broken kernel lets a cell end by time. */
    private static final long PATIENCE_MILLIS = 600_000;

    private static BerthServer server;
    private static Path work;
    private static Path far;

    @BeforeAll
    static void start() throws IOException {
        server = BerthServer.create("kernel-transports").start();
        work = server.directory("work");
        Path hostile = server.directory("hostile").resolve("kernel.py");
        Files.writeString(hostile, PROGRAM.replace("CWD", "'" + work + "'"));
        server.give(hostile);
        Path python = hostile.resolveSibling("python");
        Files.writeString(python, "#!/bin/sh\nPYTHONPATH=" + runtime() + " exec python3 \"$@\"\n");
        Files.setPosixFilePermissions(python, PosixFilePermissions.fromString("rwxr-xr-x"));
        server.give(python);
        StringBuilder policy = new StringBuilder(Files.readString(server.home().resolve("host.yaml")));
        policy.append(
                        "\nkernel_transports:\n  honest: { argvPrefix: [setsid, -w, sh, -c, 'exec \"$@\"', sh], python: \"")
                .append(python)
                .append("\", pathMap: [{ sandbox: \"")
                .append(work)
                .append("\", host: \"")
                .append(work)
                .append("\" }] }\n");
        for (String mode : new String[] {"garbage", "bytes", "unserved", "reused", "flood", "large", "oversized"}) {
            policy.append("  ")
                    .append(mode)
                    .append(": { argvPrefix: [python3, \"")
                    .append(hostile)
                    .append("\", ")
                    .append(mode)
                    .append("], pathMap: [{ sandbox: \"")
                    .append(work)
                    .append("\", host: \"")
                    .append(work)
                    .append("\" }] }\n");
        }
        far = server.directory("far");
        Files.createDirectory(far.resolve("work"));
        Path wrapper = Files.copy(FAR, hostile.resolveSibling("far.py"));
        server.give(far);
        server.give(wrapper);
        policy.append("  far: { argvPrefix: [python3, \"")
                .append(wrapper)
                .append("\", -T, \"")
                .append(far)
                .append("\"], command: shell, python: \"")
                .append(python)
                .append("\", pathMap: [{ sandbox: \"")
                .append(far.resolve("work"))
                .append("\", host: \"")
                .append(work)
                .append("\" }] }\n");
        policy.append("  copies: { argvPrefix: [setsid, -w, sh, -c, 'exec \"$@\"', sh], python: \"")
                .append(python)
                .append("\", pathMap: [{ sandbox: \"")
                .append(work)
                .append("\", host: \"")
                .append(work)
                .append("\" }, { sandbox: \"")
                .append(server.home().resolve("workspaces"))
                .append("\", host: \"")
                .append(server.home().resolve("workspaces"))
                .append("\" }] }\n");
        Files.writeString(server.home().resolve("host.yaml"), policy);
        server.api().post("/api/placement/host/reload", Map.of()).expect(200);
    }

    private static Path runtime() {
        return Path.of(System.getProperty("berth.root")).toAbsolutePath().resolve("target/server/berth/kernel/runtime");
    }

    @AfterAll
    static void end() {
        server.close();
    }

    private static Session session(String transport) {
        return Session.open(server.api(), work, "kernelTransport", transport, "toolBlockingBudgetMs", PATIENCE_MILLIS);
    }

    private static Map<String, Object> cell(Session session, String code) {
        return session.post("/cells", Map.of("code", code)).expect(200).json();
    }

    @Test
    void a_wrapped_kernel_works_in_the_mapped_directory_and_has_nothing_of_the_hosts_environment() throws Exception {
        Session session = session("honest");
        assertThat(cell(session, "import os\nos.getcwd()")).containsEntry("result", "'" + work.toRealPath() + "'");
        assertThat(cell(session, "_ = await fs.write('inside.txt', 'from the sandbox\\n')\n'ok'"))
                .containsEntry("result", "'ok'");
        assertThat(work.resolve("inside.txt")).hasContent("from the sandbox\n");
        Map<String, Object> outside = cell(session, "await fs.read('/etc/hostname')");
        assertThat(member(outside, "error")).containsEntry("name", "FsError");
        assertThat(cell(session, "'JAVA_HOME' in os.environ, os.environ.get('HOME') == '" + server.home() + "'"))
                .containsEntry("result", "(False, False)");
        session.end().expect(200);
    }

    @Test
    void a_kernel_on_a_far_side_of_the_shape_of_ssh_works_on_the_mapped_files_and_the_wrappers_death_is_loud()
            throws Exception {
        Path text = Files.writeString(work.resolve("far.txt"), "one\ntwo\n");
        server.give(text);
        Session session = Session.open(server.api(), work, "kernelTransport", "far", "toolBlockingBudgetMs", 2000);
        assertThat(cell(session, "import os\nos.getcwd(), os.environ['HOME'], 'FAR_SIDE' in os.environ"))
                .containsEntry("result", "('" + far + "/work', '" + far + "', False)");
        assertThat(cell(
                        session,
                        "r = await fs.read('far.txt')\n"
                                + "_ = await fs.edit('" + far + "/work/far.txt',"
                                + " [{'oldText': 'two', 'newText': 'three'}])\n"
                                + "r['absolute'], os.path.exists('far.txt')"))
                .containsEntry("result", "('" + far + "/work/far.txt', False)");
        assertThat(text).hasContent("one\nthree\n");
        assertThat(member(cell(session, "await fs.read('" + text + "')"), "error"))
                .containsEntry("name", "FsError");

        interruptsAJob(session);
        ProcessHandle wrapper = ProcessHandle.of(Long.parseLong(Files.readString(far.resolve("wrapper.pid"))))
                .orElseThrow();
        String job = (String) member(cell(session, "import time\ntime.sleep(600)"), "detached")
                .get("job");
        wrapper.destroyForcibly();
        assertThat(session.awaitEnd(job).json()).containsKey("unknown");
        assertThat(session.bash("echo on").json()).containsEntry("output", "on\n");
        assertThat(member(cell(session, "kept"), "error")).containsEntry("name", "NameError");
        session.end().expect(200);
    }

    /** A cell that holds the loop outlives the budget, is interrupted, and its kernel goes on. */
    private static void interruptsAJob(Session session) {
        String job = (String)
                member(cell(session, "kept = 1\nwhile True: pass"), "detached").get("job");
        session.post("/cells/interrupt", Map.of()).expect(200);
        session.awaitEnd(job);
        assertThat(cell(session, "kept")).containsEntry("result", "1");
    }

    @Test
    void a_child_on_a_copy_of_its_own_works_behind_a_wrapper_that_shares_the_workspaces(@TempDir Path project)
            throws Exception {
        // Outside this build's own work tree, whose rules ignore what is built.
        Files.writeString(project.resolve("copied.txt"), "parents\n");
        server.give(project);
        Session parent = Session.open(server.api(), project);
        Session child = Session.open(
                server.api(), null, "parent", parent.id(), "workspace", "isolated", "kernelTransport", "copies");
        Path copy = Path.of(child.show().expect(200).text("cwd"));
        assertThat(
                        cell(
                                child,
                                "_ = await fs.write('copied.txt', 'childs\\n')\nimport os\nos.getcwd(), open('copied.txt').read()"))
                .containsEntry("result", "('" + copy + "', 'childs\\n')");
        String other = copy.getParent().resolve("manifest").toString();
        assertThat(member(cell(child, "await fs.read('" + other + "')"), "error"))
                .containsEntry("name", "FsError");
        assertThat(project.resolve("copied.txt")).hasContent("parents\n");
        child.end().expect(200);
        assertThat(project.resolve("copied.txt")).hasContent("childs\n");
        parent.end().expect(200);
    }

    @Test
    void a_wrapper_that_shares_no_workspaces_takes_no_child_on_a_copy_and_nothing_is_copied() {
        Session parent = Session.open(server.api(), work);
        assertThat(Session.ask(
                                server.api(),
                                null,
                                "parent",
                                parent.id(),
                                "workspace",
                                "isolated",
                                "kernelTransport",
                                "honest")
                        .expectProblem(400, "INVALID")
                        .text("error"))
                .contains("shares no isolated workspaces", "pathMap", "workspace shared");
        assertThat(server.home().resolve("workspaces").resolve(parent.id())).doesNotExist();
        parent.end().expect(200);
    }

    @ParameterizedTest
    @CsvSource({
        "unserved,error",
        "reused,ok duplicate",
        "flood,flooded",
        "large,dropped",
        "oversized,error",
    })
    void a_frame_that_can_be_answered_gets_one_answer_and_the_session_goes_on(String mode, String result) {
        Session session = session(mode);
        Session other = Session.open(server.api(), work);
        assertThat(cell(session, "1")).containsEntry("status", "ok").containsEntry("result", result);
        assertThat(cell(session, "2")).containsEntry("status", "ok").containsEntry("result", result);
        assertThat(cell(other, "40 + 2")).containsEntry("result", "42");
        session.end().expect(200);
        other.end().expect(200);
    }

    @ParameterizedTest
    @CsvSource({"garbage", "bytes"})
    void a_line_that_is_no_frame_fails_the_cell_loudly_and_the_kernel_is_replaced(String mode) {
        Session session = session(mode);
        Session other = Session.open(server.api(), work);
        assertThat(cell(session, "1")).containsEntry("status", "fault");
        assertThat(cell(session, "2")).containsEntry("status", "fault");
        assertThat(session.bash("echo on").json()).containsEntry("output", "on\n");
        assertThat(cell(other, "40 + 2")).containsEntry("result", "42");
        session.end().expect(200);
        other.end().expect(200);
    }

    @Test
    void a_transport_that_nobody_defined_is_refused_with_those_that_there_are() {
        assertThat(Session.ask(server.api(), work, "kernelTransport", "nowhere")
                        .expectProblem(400, "INVALID")
                        .text("error"))
                .contains("honest");
    }

    @SuppressWarnings("unchecked")
    private static Map<String, Object> member(Map<String, Object> of, String name) {
        return (Map<String, Object>) of.get(name);
    }
}
