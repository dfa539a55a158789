package org.berth.harness.setup;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * One uv command line of a build. Source: harness.md, kernel environment; uv's command line reference.
 *
 * @param offline whether uv may use its cache and what is installed only
 */
public record UvCommand(Action action, boolean offline) {
    /** The Python that uv installs; the runtime runs on 3.11 and newer. Source: guest-helper/kernel/README.md. */
    static final String PYTHON = "3.13";

    /** What a command does. */
    public enum Action {
        PYTHON("Python " + UvCommand.PYTHON),
        VENV("the virtual environment"),
        PACKAGES("the locked packages"),
        RUNTIME("the kernel runtime"),
        CHECK("the check");

        private final String title;

        Action(String title) {
            this.title = title;
        }

        /** What it makes, for a line of progress. */
        public String title() {
            return title;
        }
    }

    /** The commands of a build, in their order. */
    public static List<UvCommand> of(SetupBy by) {
        return switch (by) {
            case SESSION ->
                List.of(offline(Action.VENV), offline(Action.PACKAGES), offline(Action.RUNTIME), offline(Action.CHECK));
            case INSTALL ->
                List.of(
                        new UvCommand(Action.PYTHON, false),
                        offline(Action.VENV),
                        new UvCommand(Action.PACKAGES, false),
                        offline(Action.RUNTIME),
                        offline(Action.CHECK));
        };
    }

    /** The command line. @param uv the program */
    public List<String> argv(Path uv, KernelFiles files) {
        List<String> argv = new ArrayList<>(List.of(uv.toString(), "--no-progress", "--color", "never"));
        if (offline) {
            argv.add("--offline");
        }
        String python = files.python().toString();
        argv.addAll(
                switch (action) {
                    // uv compares the archive with the sha256 that it pins
                    case PYTHON -> List.of("python", "install", PYTHON);
                    case VENV ->
                        List.of(
                                "--managed-python",
                                "--no-python-downloads",
                                "venv",
                                "--no-project",
                                "--python",
                                PYTHON,
                                files.venv().toString());
                    case PACKAGES ->
                        List.of(
                                "--no-python-downloads",
                                "pip",
                                "install",
                                "--python",
                                python,
                                "--require-hashes",
                                "--only-binary",
                                ":all:",
                                "-r",
                                files.lockFile().toString());
                    // a cached build of older sources must not count: the version may be the same
                    case RUNTIME ->
                        List.of(
                                "--no-python-downloads",
                                "--no-cache",
                                "pip",
                                "install",
                                "--python",
                                python,
                                "--no-deps",
                                files.runtime().toString());
                    case CHECK -> List.of("--no-python-downloads", "pip", "check", "--python", python);
                });
        return List.copyOf(argv);
    }

    private static UvCommand offline(Action action) {
        return new UvCommand(action, true);
    }
}
