package org.berth.harness.setup;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.berth.harness.kernel.KernelSource;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Real processes of a double of uv, and of a real Python. */
@Timeout(120)
class KernelEnvironmentTest {
    private static final String MISSING = "The Python kernel is not installed: run berth kernel install once";

    @TempDir
    private Path directory;

    private Path home;
    private Path bin;
    private Path runtime;
    private String python;
    private FakeUv uv;
    private final Map<String, String> environment = new HashMap<>();

    @BeforeEach
    void aHostWithUvAndWithoutPython() throws Exception {
        directory = directory.toRealPath();
        python = KernelSource.interpreter();
        home = Files.createDirectory(directory.resolve("home"));
        bin = Files.createDirectory(directory.resolve("bin"));
        runtime = Files.createDirectories(directory.resolve("runtime"));
        Files.createDirectory(runtime.resolve("berth_kernel"));
        Files.writeString(runtime.resolve("berth_kernel/repl.py"), "print('one')\n");
        Files.writeString(runtime.resolve("pyproject.toml"), "[project]\n");
        Files.writeString(runtime.resolve("requirements-kernel.txt"), "# none\n");
        uv = new FakeUv(directory.resolve("uv"), bin, python);
        environment.put("PATH", bin.toString());
    }

    private KernelEnvironment kernels() {
        return KernelEnvironment.of(home, runtime, environment);
    }

    private KernelPython install() throws IOException {
        return kernels().install(step -> {});
    }

    private void hostPython() throws IOException {
        Path program = Files.writeString(bin.resolve("python3"), "#!/bin/sh\nexec " + python + " \"$@\"\n");
        Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwx------"));
    }

    private Path venvPython() {
        return home.resolve("kernel-venv/bin/python");
    }

    @Test
    void anInstallRunsTheseCommandsAndASecondNone() throws IOException {
        List<String> steps = new ArrayList<>();
        assertThat(kernels().install(steps::add)).isEqualTo(new KernelPython.Ready(venvPython(), PythonOrigin.VENV));
        String common = "--no-progress --color never ";
        assertThat(uv.log())
                .containsExactly(
                        common + "python install 3.13",
                        common + "--offline --managed-python --no-python-downloads venv --no-project --python 3.13 "
                                + home + "/kernel-venv",
                        common + "--no-python-downloads pip install --python " + venvPython()
                                + " --require-hashes --only-binary :all: -r " + runtime + "/requirements-kernel.txt",
                        common + "--offline --no-python-downloads --no-cache pip install --python " + venvPython()
                                + " --no-deps " + runtime,
                        common + "--offline --no-python-downloads pip check --python " + venvPython());
        assertThat(steps)
                .containsExactly(
                        "fetching Python 3.13",
                        "making the virtual environment",
                        "fetching the locked packages",
                        "making the kernel runtime",
                        "making the check");
        assertThat(kernels().check().state()).isEqualTo("installed");
        assertThat(Files.list(home)).containsExactly(home.resolve("kernel-venv"));

        uv.forget();
        assertThat(install()).isInstanceOf(KernelPython.Ready.class);
        assertThat(kernels().ensure()).isEqualTo(new KernelPython.Ready(venvPython(), PythonOrigin.VENV));
        assertThat(uv.log()).isEmpty();
    }

    @Test
    void aSessionOnABareHostAnswersAndLeavesNothing() throws IOException {
        assertThat(kernels().ensure()).isInstanceOfSatisfying(KernelPython.Missing.class, missing -> {
            assertThat(missing.sentence()).isEqualTo(MISSING);
            assertThat(missing.reason()).contains("No interpreter found");
        });
        assertThat(uv.log()).isNotEmpty().allMatch(line -> line.contains("--offline"));
        assertThat(home).isEmptyDirectory();
        assertThat(kernels().check().state()).isEqualTo("not installed");
        assertThat(kernels().check().usable()).isFalse();
    }

    @Test
    void afterAnUpdateASessionMakesItAnewFromLocalFiles() throws IOException {
        install();
        uv.forget();
        Files.writeString(runtime.resolve("berth_kernel/repl.py"), "print('two')\n");
        assertThat(kernels().check().state()).isEqualTo("of another build");

        assertThat(kernels().ensure()).isEqualTo(new KernelPython.Ready(venvPython(), PythonOrigin.VENV));
        assertThat(uv.log()).hasSize(4).allMatch(line -> line.contains("--offline"));
        assertThat(kernels().check().state()).isEqualTo("installed");
    }

    @Test
    void anUpdateWithoutLocalFilesNamesTheInstall() throws IOException {
        install();
        uv.emptyCache();
        Files.writeString(runtime.resolve("requirements-kernel.txt"), "# another\n");

        assertThat(kernels().ensure())
                .isInstanceOfSatisfying(
                        KernelPython.Missing.class,
                        missing -> assertThat(missing.sentence()).isEqualTo(MISSING));
        hostPython();
        assertThat(kernels().ensure()).isEqualTo(new KernelPython.Ready(Path.of(python), PythonOrigin.HOST));
    }

    @Test
    void whatFailsItsCheckIsNeverUsed() throws IOException {
        uv.breakCommand("pip check");

        assertThat(install())
                .isInstanceOfSatisfying(
                        KernelPython.Missing.class,
                        missing -> assertThat(missing.reason())
                                .isEqualTo("the check: uv ended with 2: error: broken by the test"));
        assertThat(home).isEmptyDirectory();
    }

    @Test
    void aFileOfAnUnfinishedBuildCountsForNothing() throws IOException {
        install();
        Files.delete(home.resolve("kernel-venv/berth-kernel-build"));
        assertThat(kernels().check().state()).isEqualTo("of another build");
    }

    @Test
    void aHostWhosePythonIsNewEnoughNeedsNoInstall() throws IOException {
        hostPython();

        assertThat(kernels().ensure()).isEqualTo(new KernelPython.Ready(Path.of(python), PythonOrigin.HOST));
        assertThat(kernels().check().state()).isEqualTo("host python");
        assertThat(kernels().check().version()).get().asString().startsWith("3.");
        assertThat(uv.log()).isEmpty();
    }

    @Test
    void aPythonOfTheUserIsTakenAndNothingInstalled() throws IOException {
        environment.put("BERTH_KERNEL_PYTHON", python);
        KernelPython.Ready named = new KernelPython.Ready(Path.of(python), PythonOrigin.NAMED);

        assertThat(install()).isEqualTo(named);
        assertThat(kernels().ensure()).isEqualTo(named);
        assertThat(kernels().check().python()).contains(Path.of(python));
        assertThat(uv.log()).isEmpty();
    }

    @Test
    void aPythonOfTheUserThatCannotRunTheKernelIsNamed() throws IOException {
        environment.put("BERTH_KERNEL_PYTHON", "/bin/true");

        assertThat(kernels().ensure())
                .isInstanceOfSatisfying(
                        KernelPython.Missing.class,
                        missing -> assertThat(missing.sentence())
                                .isEqualTo("BERTH_KERNEL_PYTHON names /bin/true, which is no Python 3.11 or newer"));
        assertThat(kernels().check().state()).isEqualTo("unusable");
    }

    @Test
    void manyAtOnceMakeItOnce() throws Exception {
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Callable<KernelPython>> installs = List.of(this::install, this::install, this::install);
            for (Future<KernelPython> each : threads.invokeAll(installs)) {
                assertThat(each.get()).isInstanceOf(KernelPython.Ready.class);
            }
        }
        assertThat(uv.log()).hasSize(5);
    }

    @Test
    void theProgramPrintsStepsAndThenTheState() throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        PrintStream out = new PrintStream(bytes, true, StandardCharsets.UTF_8);
        Path fresh = directory.resolve("fresh/home");
        String[] check = {"check", fresh.toString(), runtime.toString()};
        String[] install = {"install", fresh.toString(), runtime.toString()};

        assertThat(KernelProgram.run(check, environment, out)).isEqualTo(1);
        assertThat(fresh).doesNotExist();
        assertThat(KernelProgram.run(install, environment, out)).isZero();
        assertThat(KernelProgram.run(check, environment, out)).isZero();
        assertThat(bytes.toString(StandardCharsets.UTF_8))
                .contains("state\tnot installed\n", "step\tfetching Python 3.13\n", "state\tinstalled\n")
                .contains("python\t" + fresh + "/kernel-venv/bin/python\n", "uv\t" + bin.resolve("uv") + "\n");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(fresh)))
                .isEqualTo("rwx------");

        Files.delete(bin.resolve("uv"));
        String[] another = {"install", directory.resolve("another").toString(), runtime.toString()};
        assertThat(KernelProgram.run(another, environment, out)).isEqualTo(1);
        assertThat(bytes.toString(StandardCharsets.UTF_8)).endsWith("reason\tthere is no uv on PATH\n");
        assertThat(KernelProgram.run(new String[] {"remove"}, environment, out)).isEqualTo(2);
    }
}
