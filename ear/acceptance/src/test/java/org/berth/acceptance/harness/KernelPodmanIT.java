package org.berth.acceptance.harness;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import org.berth.acceptance.BerthServer;
import org.berth.acceptance.Json;
import org.berth.acceptance.podman.PodmanEngine;
import org.junit.jupiter.api.Test;

/**
 * A kernel in a container, with one directory of the host mapped. Source: issue on the harness: it reads and edits a mapped
 * file, an outside path is refused with no handler run, and the container's death is a loud fault.
 */
class KernelPodmanIT {
    private static final String BOX = "box";

    @Test
    void a_kernel_in_a_container_works_on_mapped_files_and_its_containers_death_is_loud() throws Exception {
        try (BerthServer server = BerthServer.create("kernel-podman").start();
                PodmanEngine engine = PodmanEngine.start(server)) {
            Path work = server.directory("work");
            Path python = work.resolve("python");
            Files.writeString(python, "#!/bin/sh\nPYTHONPATH=/opt/kernel exec /usr/bin/python3 \"$@\"\n");
            Files.setPosixFilePermissions(python, PosixFilePermissions.fromString("rwxr-xr-x"));
            Path text = Files.writeString(work.resolve("text.txt"), "one\ntwo\n");
            server.give(work);
            engine.podman(
                    "run",
                    "-d",
                    "--name",
                    BOX,
                    "-v",
                    "/usr:/usr:ro",
                    "-v",
                    runtime() + ":/opt/kernel:ro",
                    "-v",
                    work + ":/work",
                    engine.image(),
                    "sleep",
                    "100000");
            allow(server, engine.socket().getParent(), work);
            Session session = Session.open(server.api(), work, "kernelTransport", BOX, "toolBlockingBudgetMs", 4000);

            assertThat(cell(session, "import os\nos.getcwd(), os.path.exists('" + server.home() + "')"))
                    .containsEntry("result", "('/work', False)");
            assertThat(cell(
                            session,
                            "r = await fs.read('/work/text.txt')\n"
                                    + "_ = await fs.edit('text.txt', [{'oldText': 'two', 'newText': 'three'}])\n"
                                    + "r['absolute'], open('/work/text.txt').read()"))
                    .containsEntry("result", "('/work/text.txt', 'one\\nthree\\n')");
            assertThat(text).hasContent("one\nthree\n");
            for (String outside : new String[] {"/etc/passwd", work + "/text.txt", "../etc/passwd"}) {
                Map<String, Object> refused = cell(session, "await fs.read('" + outside + "')");
                assertThat(error(refused)).as(outside).containsEntry("name", "FsError");
            }

            Map<String, Object> held = cell(session, "kept = 1\nwhile True: pass");
            String job = String.valueOf(Json.at(held, "detached", "job"));
            session.post("/cells/interrupt", Map.of()).expect(200);
            session.awaitEnd(job);
            assertThat(cell(session, "kept")).containsEntry("result", "1");

            engine.podman("kill", BOX);
            assertThat(cell(session, "kept")).containsEntry("status", "fault");
            assertThat(session.bash("echo on").json()).containsEntry("output", "on\n");
            engine.podman("start", BOX);
            assertThat(error(cell(session, "kept"))).containsEntry("name", "NameError");
            session.end().expect(200);
        }
    }

    private static void allow(BerthServer server, Path engine, Path work) throws Exception {
        Path policy = server.home().resolve("host.yaml");
        Files.writeString(policy, Files.readString(policy) + """

                        kernel_transports:
                          %s:
                            argvPrefix: [env, -i, "HOME=%s/home", "XDG_RUNTIME_DIR=%s/run", "PATH=/usr/local/bin:/usr/bin:/bin",
                                podman, exec, -i, %s]
                            python: /work/python
                            pathMap: [{ sandbox: /work, host: "%s" }]
                        """.formatted(BOX, engine, engine, BOX, work));
        server.api().post("/api/placement/host/reload", Map.of()).expect(200);
    }

    private static Path runtime() {
        return Path.of(System.getProperty("berth.root")).toAbsolutePath().resolve("target/server/berth/kernel/runtime");
    }

    private static Map<String, Object> cell(Session session, String code) {
        return session.post("/cells", Map.of("code", code)).expect(200).json();
    }

    @SuppressWarnings("unchecked")
    private static Map<String, Object> error(Map<String, Object> cell) {
        return (Map<String, Object>) cell.get("error");
    }
}
