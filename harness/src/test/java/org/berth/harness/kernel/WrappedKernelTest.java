package org.berth.harness.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.json.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.berth.harness.transport.CommandForm;
import org.berth.harness.transport.FsRequests;
import org.berth.harness.transport.KernelLaunch;
import org.berth.harness.transport.KernelStart;
import org.berth.harness.transport.KernelTransport;
import org.berth.harness.transport.Mount;
import org.berth.harness.transport.PathMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The real runtime under a wrapper that runs it in another session, in a directory that stands for the sandbox's. */
class WrappedKernelTest {
    private static final List<String> WRAPPER = List.of("setsid", "-w", "sh", "-c", "exec \"$@\"", "wrapper");
    /** As ssh: the other side's shell gets one line. */
    private static final List<String> SHELL_WRAPPER = List.of("setsid", "-w", "sh", "-c");

    @TempDir
    Path given;

    Path sandbox;
    Path host;
    String python;
    final Handlers handlers = new Handlers();

    @BeforeEach
    void twoTrees() throws Exception {
        python = KernelSource.interpreter();
        sandbox = Files.createDirectories(given.toRealPath().resolve("sandbox/it's work"));
        host = Files.createDirectories(given.toRealPath().resolve("host/project"));
        handlers.on(
                "fs.read",
                data -> Json.createObjectBuilder()
                        .add("absolute", data.getString("path"))
                        .add("text", Files.readString(Path.of(data.getString("path"))))
                        .build());
    }

    private ProcessKernel start(CommandForm form) throws Exception {
        PathMap map = new PathMap(List.of(
                new Mount(sandbox.toString(), host),
                new Mount(KernelSource.directory().toString(), KernelSource.directory())));
        KernelTransport.Wrapped transport = new KernelTransport.Wrapped(
                form == CommandForm.ARGV ? WRAPPER : SHELL_WRAPPER, python, form, map, List.of("BERTH_TEST_NAMED"));
        Map<String, String> environment = new HashMap<>(System.getenv());
        environment.put("BERTH_TEST_NAMED", "it's $named");
        environment.put("BERTH_TEST_SECRET", "x");
        KernelLaunch launch = KernelLaunch.of(
                transport,
                new KernelStart(
                        host,
                        KernelSource.directory(),
                        List.of(),
                        Map.of("PYTHONDONTWRITEBYTECODE", "1"),
                        Map.of("BERTH_BASH_SHELL", Path.of("/bin/sh"), "BERTH_TEST_STATE", host.resolve("state")),
                        environment,
                        1));
        assertThat(launch.diagnostics()).singleElement().asString().startsWith("BERTH_BASH_SHELL is left out");
        ProcessKernel kernel =
                new ProcessKernel(launch, new FsDispatch(new FsRequests(map, launch.kernelDirectory()), handlers));
        kernel.awaitReady();
        return kernel;
    }

    private static String result(ProcessKernel kernel, String code) throws Exception {
        RecordingCell cell = new RecordingCell();
        kernel.done(kernel.client.execute(code, cell));
        assertThat(cell.all()).hasSize(1);
        return cell.all().getFirst();
    }

    @Test
    void theKernelStartsInTheSandboxsDirectoryWithItsOwnVariablesOnly() throws Exception {
        for (CommandForm form : CommandForm.values()) {
            try (ProcessKernel kernel = start(form)) {
                assertThat(result(kernel, "import os\nprint(os.getcwd(), end='')"))
                        .isEqualTo("STDOUT:" + sandbox);
                assertThat(result(kernel, "print(os.environ['BERTH_TEST_NAMED'], end='')"))
                        .isEqualTo("STDOUT:it's $named");
                assertThat(result(kernel, "print(os.environ['BERTH_TEST_STATE'], end='')"))
                        .isEqualTo("STDOUT:" + sandbox + "/state");
                String names = result(kernel, "print(' '.join(sorted(os.environ)), end='')");
                assertThat(names.substring("STDOUT:".length()).split(" "))
                        .contains("BERTH_TEST_NAMED", "PYTHONPATH")
                        .isSubsetOf(
                                "BERTH_TEST_NAMED",
                                "BERTH_TEST_STATE",
                                "HOME",
                                "LC_CTYPE",
                                "PATH",
                                "PYTHONDONTWRITEBYTECODE",
                                "PYTHONPATH");
            }
        }
    }

    @Test
    void aFileIsReadOnTheHostAndNamedAsTheSandboxNamesIt() throws Exception {
        Files.writeString(host.resolve("a.txt"), "on the host");
        try (ProcessKernel kernel = start(CommandForm.ARGV)) {
            RecordingCell cell = new RecordingCell();
            kernel.done(
                    kernel.client.execute("r = await fs.read('a.txt')\nprint(r['absolute'], r['text'], end='')", cell));
            assertThat(cell.text(OutputStream.STDOUT)).isEqualTo(sandbox + "/a.txt on the host");
            assertThat(handlers.asked).singleElement().satisfies(data -> {
                assertThat(data.getString("path")).isEqualTo(host + "/a.txt");
                assertThat(data.getString("cwd")).isEqualTo(host.toString());
            });
        }
    }

    @Test
    void aPathOutsideGetsTheTypedRefusalAndNoHandlerRuns() throws Exception {
        Files.createSymbolicLink(host.resolve("out"), Path.of("/etc"));
        try (ProcessKernel kernel = start(CommandForm.ARGV)) {
            for (String path : List.of("/etc/passwd", "out/passwd", "out/../x", "~/x", "../../x")) {
                RecordingCell cell = new RecordingCell();
                kernel.done(kernel.client.execute(
                        "from berth_kernel import FsError\ntry:\n    await fs.read('" + path
                                + "')\nexcept FsError as e:\n    print(e.reason, e.version, end='')",
                        cell));
                assertThat(cell.text(OutputStream.STDOUT)).as(path).isEqualTo("outside transport@1");
            }
            assertThat(handlers.asked).isEmpty();
        }
    }

    @Test
    void theEndOfItsInputEndsTheKernelBehindTheWrapper() throws Exception {
        try (ProcessKernel kernel = start(CommandForm.ARGV)) {
            RecordingCell cell = new RecordingCell();
            kernel.client.execute("import os\nprint(os.getpid())\nwhile True: pass", cell);
            long pid = Long.parseLong(cell.next().substring("STDOUT:".length()));
            kernel.closeInput();
            assertThat(kernel.awaitExit()).isZero();
            assertThat(ProcessHandle.of(pid).filter(ProcessHandle::isAlive)).isEmpty();
        }
    }

    @Test
    void aDirectoryThatTheSandboxLacksEndsTheStart() throws IOException, InterruptedException {
        PathMap map = new PathMap(List.of(new Mount("/berth-no-such-directory", host)));
        KernelLaunch launch = KernelLaunch.of(
                new KernelTransport.Wrapped(WRAPPER, "python3", CommandForm.ARGV, map, List.of()),
                new KernelStart(host, host, List.of(), Map.of(), Map.of(), System.getenv(), 1));
        try (ProcessKernel kernel = new ProcessKernel(launch, handlers)) {
            assertThat(kernel.awaitExit()).isEqualTo(1);
            assertThat(kernel.client.ready()).isCompletedExceptionally();
        }
    }
}
