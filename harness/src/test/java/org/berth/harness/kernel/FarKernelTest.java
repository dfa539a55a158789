package org.berth.harness.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.json.JsonString;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.berth.harness.files.FileLimits;
import org.berth.harness.files.FileRequests;
import org.berth.harness.files.Roots;
import org.berth.harness.ignore.GitSurroundings;
import org.berth.harness.ignore.TreeListing;
import org.berth.harness.transport.CommandForm;
import org.berth.harness.transport.FsRequests;
import org.berth.harness.transport.KernelLaunch;
import org.berth.harness.transport.KernelStart;
import org.berth.harness.transport.KernelTransport;
import org.berth.harness.transport.Mount;
import org.berth.harness.transport.PathMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The real runtime behind a wrapper of the shape of ssh, with real file requests. Source: harness.md, Kernel and transport. */
class FarKernelTest {
    private final List<ProcessKernel> kernels = new ArrayList<>();

    @TempDir
    private Path given;

    private Path far;
    private Path host;
    private String python;

    @BeforeEach
    void twoSides() throws Exception {
        python = KernelSource.interpreter();
        Path root = given.toRealPath();
        far = Files.createDirectories(root.resolve("far/its home"));
        host = Files.createDirectories(root.resolve("near/project"));
        Files.createDirectories(far.resolve("work"));
        Files.createDirectories(far.resolve("state"));
        Files.createDirectories(root.resolve("near/state"));
    }

    @AfterEach
    void end() {
        kernels.forEach(ProcessKernel::close);
    }

    private ProcessKernel start() throws Exception {
        PathMap map = new PathMap(List.of(
                new Mount(far + "/work", host),
                new Mount(far + "/state", host.resolveSibling("state")),
                new Mount(KernelSource.directory().toString(), KernelSource.directory())));
        KernelTransport.Wrapped transport = new KernelTransport.Wrapped(
                List.of("python3", program().toString(), "-T", far.toString()),
                python,
                CommandForm.SHELL,
                map,
                List.of("BERTH_TEST_NAMED"));
        Map<String, String> environment = new HashMap<>(System.getenv());
        environment.put("BERTH_TEST_NAMED", "a 'quoted' $name");
        environment.put("BERTH_TEST_SECRET", "x");
        KernelLaunch launch = KernelLaunch.of(
                transport,
                new KernelStart(host, KernelSource.directory(), List.of(), Map.of(), Map.of(), environment, 1));
        FileRequests files = new FileRequests(
                new Roots(List.of(host)),
                new TreeListing(GitSurroundings.ofProcess()),
                FileLimits.DEFAULT,
                System::nanoTime);
        Handlers handlers = new Handlers();
        FsRequests.TYPES.forEach(type -> handlers.on(type, data -> files.handle(type, data)));
        ProcessKernel kernel =
                new ProcessKernel(launch, new FsDispatch(new FsRequests(map, launch.kernelDirectory()), handlers));
        kernels.add(kernel);
        kernel.awaitReady();
        return kernel;
    }

    private static Path program() {
        return Path.of(System.getProperty("berth.root"))
                .resolve("harness/src/test/resources/org/berth/harness/kernel/far.py")
                .toAbsolutePath();
    }

    private static String printed(ProcessKernel kernel, String code) throws Exception {
        RecordingCell cell = new RecordingCell();
        kernel.done(kernel.client.execute(code, cell));
        return cell.text(OutputStream.STDOUT);
    }

    private static String saved(Path directory) {
        return directory.resolve("names").toString();
    }

    @Test
    void aCellRunsInTheFarDirectoryWithTheNamedVariablesAndNoneOfTheCallers() throws Exception {
        ProcessKernel kernel = start();
        assertThat(printed(kernel, "import os\nprint(os.getcwd(), end='')")).isEqualTo(far + "/work");
        assertThat(printed(kernel, "print(os.environ['BERTH_TEST_NAMED'], 'BERTH_TEST_SECRET' in os.environ, end='')"))
                .isEqualTo("a 'quoted' $name False");
        assertThat(printed(kernel, "print(os.environ['HOME'], end='')")).isEqualTo(far.toString());
    }

    @Test
    void filesAreReadAndEditedOnThisSideAndNamedAsTheFarSideNamesThem() throws Exception {
        Path text = Files.writeString(host.resolve("text.txt"), "one\ntwo\n");
        ProcessKernel kernel = start();
        assertThat(printed(
                        kernel,
                        "r = await fs.read('text.txt')\n"
                                + "_ = await fs.edit('" + far + "/work/text.txt',"
                                + " [{'oldText': 'two', 'newText': 'three'}])\n"
                                + "print(r['absolute'], repr(r['text']), end='')"))
                .isEqualTo(far + "/work/text.txt 'one\\ntwo\\n'");
        assertThat(text).hasContent("one\nthree\n");
        assertThat(far.resolve("work/text.txt")).doesNotExist();
        assertThat(printed(
                        kernel,
                        "from berth_kernel import FsError\ntry:\n    await fs.read('" + text
                                + "')\nexcept FsError as e:\n    print(e.reason, end='')"))
                .isEqualTo("outside");
    }

    @Test
    void aCellThatHoldsTheLoopIsInterruptedAndTheKernelGoesOn() throws Exception {
        ProcessKernel kernel = start();
        RecordingCell cell = new RecordingCell();
        KernelRequest request = kernel.client.execute("kept = 1\nprint('on', flush=True)\nwhile True: pass", cell);
        assertThat(cell.next()).startsWith("STDOUT:on");
        kernel.client.interrupt(request.id());
        assertThat(kernel.done(request).reason()).startsWith("KeyboardInterrupt");
        assertThat(printed(kernel, "print(kept, end='')")).isEqualTo("1");
    }

    @Test
    void theNamesOfAKernelWhoseWrapperDiedComeBackInTheNextOne() throws Exception {
        ProcessKernel first = start();
        printed(first, "import os\nkept = {'answer': 42}\nheld = open(os.devnull)");
        Done saved = first.done(first.client.snapshot(saved(far.resolve("state"))));
        assertThat(saved.ok()).isTrue();
        assertThat(saved.frame().getJsonArray("saved").getValuesAs(JsonString::getString))
                .contains("kept")
                .doesNotContain("held");
        assertThat(Files.size(far.resolve("state/names"))).isPositive();
        long farPid = Long.parseLong(printed(first, "print(os.getpid(), end='')"));
        KernelRequest open = first.client.execute("while True: pass", new RecordingCell());

        ProcessHandle.of(Long.parseLong(Files.readString(far.resolve("wrapper.pid"))))
                .orElseThrow()
                .destroyForcibly();

        assertThatThrownBy(() -> open.done().get(ProcessKernel.PATIENCE_SECONDS, TimeUnit.SECONDS))
                .isInstanceOf(ExecutionException.class)
                .cause()
                .isInstanceOf(KernelEnded.class);
        ProcessHandle.of(farPid).ifPresent(ProcessHandle::destroyForcibly);

        ProcessKernel second = start();
        Done restored = second.done(second.client.restore(saved(far.resolve("state"))));
        assertThat(restored.frame().getJsonArray("restored").getValuesAs(JsonString::getString))
                .contains("kept");
        assertThat(printed(second, "print(kept['answer'], end='')")).isEqualTo("42");
    }

    @Test
    void theFarKernelEndsByItselfWhenItsWrapperDied() throws Exception {
        ProcessKernel kernel = start();
        long pid = Long.parseLong(printed(kernel, "import os\nprint(os.getpid(), end='')"));
        ProcessHandle kernelProcess = ProcessHandle.of(pid).orElseThrow();
        kernel.process.destroyForcibly();
        kernel.awaitExit();
        kernelProcess.onExit().get(ProcessKernel.PATIENCE_SECONDS, TimeUnit.SECONDS);
        assertThat(kernelProcess.isAlive()).isFalse();
    }
}
