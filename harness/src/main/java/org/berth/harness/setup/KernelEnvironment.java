package org.berth.harness.setup;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * The Python of this host's local kernels. A session never downloads; {@link #install} is all that does. Safe for any number
 * of threads and processes. Source: harness.md, kernel environment.
 */
public final class KernelEnvironment {
    /** Names a Python of the user: then nothing is installed. */
    public static final String NAMED = "BERTH_KERNEL_PYTHON";

    private final KernelFiles files;
    private final Map<String, String> environment;
    private final Programs programs;

    /** @param environment of this host's processes */
    public KernelEnvironment(KernelFiles files, Map<String, String> environment, Programs programs) {
        this.files = files;
        this.environment = Map.copyOf(environment);
        this.programs = programs;
    }

    /**
     * The environment of a state root.
     *
     * @param home the state root, which is there
     * @param runtime the directory that holds the package berth_kernel
     */
    public static KernelEnvironment of(Path home, Path runtime, Map<String, String> environment) {
        return new KernelEnvironment(
                KernelFiles.of(home, runtime, environment), environment, new HostPrograms(home, environment));
    }

    /** The Python for a session's kernel; makes it from local files where that is needed and possible. */
    public KernelPython ensure() throws IOException {
        return setUp(SetupBy.SESSION, line -> {});
    }

    /** Downloads and installs it unless it is there. @param progress hears one line before each step */
    public KernelPython install(Consumer<String> progress) throws IOException {
        return setUp(SetupBy.INSTALL, progress);
    }

    /** What is there now. */
    public KernelState check() throws IOException {
        Optional<Path> named = named();
        Optional<HostPython> host = named.isPresent() ? at(named.get()) : host();
        if (named.isPresent()) {
            String state = host.isPresent() ? PythonOrigin.NAMED.state() : "unusable";
            return state(state, host.isPresent(), named, host.map(HostPython::version));
        }
        return switch (files.found()) {
            case CHECKED ->
                state(
                        PythonOrigin.VENV.state(),
                        true,
                        Optional.of(files.python()),
                        at(files.python()).map(HostPython::version));
            case OTHER_BUILD -> state("of another build", false, Optional.empty(), Optional.empty());
            case NONE ->
                state(
                        host.isPresent() ? PythonOrigin.HOST.state() : "not installed",
                        host.isPresent(),
                        host.map(HostPython::interpreter),
                        host.map(HostPython::version));
        };
    }

    private KernelPython setUp(SetupBy by, Consumer<String> progress) throws IOException {
        Optional<Path> named = named();
        VenvFound found = files.found();
        boolean asks = named.isEmpty() && found != VenvFound.CHECKED && by == SetupBy.SESSION;
        Optional<HostPython> host = asks ? host() : Optional.empty();
        return switch (SetupStep.first(by, named.isPresent(), found, host.isPresent())) {
            case SetupStep.Use use -> use(use, host, named);
            case SetupStep.Missing _ -> missing("");
            case SetupStep.Build build -> {
                Optional<String> failure = new VenvBuild(files, environment, programs, progress).run(by, build);
                yield switch (SetupStep.afterBuild(by, failure.isEmpty(), host.isPresent())) {
                    case SetupStep.Use use -> use(use, host, named);
                    case SetupStep.Build _, SetupStep.Missing _ -> missing(failure.orElse(""));
                };
            }
        };
    }

    private KernelPython use(SetupStep.Use use, Optional<HostPython> host, Optional<Path> named) {
        return switch (use.origin()) {
            case VENV -> new KernelPython.Ready(files.python(), PythonOrigin.VENV);
            case HOST -> new KernelPython.Ready(host.orElseThrow().interpreter(), PythonOrigin.HOST);
            case NAMED -> {
                Path python = named.orElseThrow();
                if (at(python).isPresent()) {
                    yield new KernelPython.Ready(python, PythonOrigin.NAMED);
                }
                String sentence = NAMED + " names " + python + ", which is no Python 3.11 or newer";
                yield new KernelPython.Missing(sentence, sentence);
            }
        };
    }

    private static KernelPython missing(String reason) {
        return new KernelPython.Missing(KernelPython.NOT_INSTALLED, reason);
    }

    /** A bare name is found on PATH; any other name is a path, from the root if it does not say. */
    private Optional<Path> named() {
        String name = environment.getOrDefault(NAMED, "");
        if (name.isBlank()) {
            return Optional.empty();
        }
        Path path = name.indexOf('/') < 0
                ? HostPython.onPath(name, path()).orElse(Path.of("/", name))
                : Path.of("/").resolve(name);
        return Optional.of(path);
    }

    private Optional<HostPython> host() {
        return HostPython.onPath("python3", path()).flatMap(this::at);
    }

    private Optional<HostPython> at(Path program) {
        return HostPython.at(program, programs);
    }

    private String path() {
        return environment.getOrDefault("PATH", "");
    }

    private KernelState state(String state, boolean usable, Optional<Path> python, Optional<String> version)
            throws IOException {
        return new KernelState(
                state,
                usable,
                python,
                version,
                files.venv(),
                HostPython.onPath("uv", path()),
                BootstrapLock.holder(files.bootstrapLock()));
    }
}
