package org.berth.harness.setup;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.berth.files.Trees;
import org.berth.harness.setup.model.SetupModel;

/** A host in a directory of its own. Its programs are files whose runs are played and recorded here. */
final class SetupWorld implements Programs, AutoCloseable {
    static final String REFUSAL = "error: nothing is cached\n  and the network is off";

    final Path root;
    final KernelFiles files;
    final Map<String, String> environment = new HashMap<>();
    final List<List<String>> uvRuns = new ArrayList<>();
    private final SetupModel.Host host;
    private final boolean throwing;

    /** @param throwing whether the command that fails does not even start */
    SetupWorld(SetupModel.Host host, boolean throwing) throws IOException {
        this.host = host;
        this.throwing = throwing;
        root = Files.createTempDirectory("berth-setup").toRealPath();
        Path runtime =
                Files.createDirectories(root.resolve("runtime/berth_kernel")).getParent();
        Files.writeString(runtime.resolve("requirements-kernel.txt"), "# none\n");
        Files.writeString(runtime.resolve("berth_kernel/__init__.py"), "");
        Path bin = Files.createDirectory(root.resolve("bin"));
        Files.createDirectory(root.resolve("home"));
        if (host.uv()) {
            program(bin.resolve("uv"));
        }
        program(bin.resolve("python3"));
        environment.put("PATH", "/nonexistent:" + bin);
        if (host.named()) {
            program(root.resolve("mine"));
            environment.put(KernelEnvironment.NAMED, root.resolve("mine").toString());
        }
        files = KernelFiles.of(root.resolve("home"), runtime, environment);
        if (host.found() != SetupModel.Found.NONE) {
            Files.createDirectories(files.python().getParent());
            program(files.python());
            files.vouch(host.found() == SetupModel.Found.CHECKED ? files.digest() : "another");
        }
    }

    KernelEnvironment kernels() {
        return new KernelEnvironment(files, environment, this);
    }

    @Override
    public Ended run(List<String> argv, Duration bound) throws IOException {
        if (!argv.getFirst().equals(root.resolve("bin/uv").toString())) {
            boolean old = argv.getFirst().equals(root.resolve("bin/python3").toString()) && !host.hostWillDo();
            return new Ended(0, "python.3." + (old ? "10" : "11") + ".2 " + argv.getFirst() + "\n");
        }
        uvRuns.add(argv);
        SetupModel.Makes makes = read(argv).makes();
        if (Optional.of(makes).equals(host.failing())) {
            if (throwing) {
                throw new IOException("no such program");
            }
            return new Ended(2, REFUSAL);
        }
        if (makes == SetupModel.Makes.VENV) {
            Files.createDirectories(files.python().getParent());
            program(files.python());
        }
        return new Ended(0, "");
    }

    /** What a uv command line means, by uv's own documentation. */
    static SetupModel.Ran read(List<String> argv) {
        String line = " " + String.join(" ", argv.subList(1, argv.size())) + " ";
        boolean fetches = !line.contains(" --offline ");
        boolean requires = line.contains(" --require-hashes ") && line.contains(" --only-binary :all: ");
        if (line.contains(" python install ")) {
            return new SetupModel.Ran(SetupModel.Makes.PYTHON, fetches, true);
        }
        if (line.contains(" venv ")) {
            return new SetupModel.Ran(SetupModel.Makes.VENV, fetches, false);
        }
        if (line.contains(" pip install ") && line.contains(" -r ")) {
            return new SetupModel.Ran(SetupModel.Makes.PACKAGES, fetches, requires);
        }
        return new SetupModel.Ran(
                line.contains(" pip install ") ? SetupModel.Makes.RUNTIME : SetupModel.Makes.CHECK, fetches, false);
    }

    List<SetupModel.Ran> ran() {
        return uvRuns.stream().map(SetupWorld::read).toList();
    }

    static SetupModel.Python python(KernelPython python) {
        return switch (python) {
            case KernelPython.Ready(Path _, PythonOrigin origin) -> SetupModel.Python.valueOf(origin.name());
            case KernelPython.Missing _ -> SetupModel.Python.MISSING;
        };
    }

    SetupModel.Found found() throws IOException {
        return SetupModel.Found.valueOf(files.found().name());
    }

    private static void program(Path file) throws IOException {
        Files.writeString(file, "");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwx------"));
    }

    @Override
    public void close() throws IOException {
        Trees.remove(root);
    }
}
