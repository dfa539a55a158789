package org.berth.harness.setup;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.Optional;

/**
 * The program behind {@code berth kernel install}: {@code install HOME RUNTIME} or {@code check HOME RUNTIME}. Prints lines
 * of a name, a tab and a value: {@code step} as it goes on, and at the end the members of {@link KernelState}, with {@code
 * reason} when it failed. Ends with 0 when kernels can start, else with 1; with 2 when it is not understood.
 */
public final class KernelProgram {
    private static final int DONE = 0;
    private static final int FAILED = 1;
    private static final int USAGE = 2;

    private final KernelEnvironment kernels;
    private final PrintStream out;

    KernelProgram(KernelEnvironment kernels, PrintStream out) {
        this.kernels = kernels;
        this.out = out;
    }

    public static void main(String[] arguments) {
        PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
        System.exit(run(arguments, System.getenv(), out));
    }

    static int run(String[] arguments, Map<String, String> environment, PrintStream out) {
        if (arguments.length != 3 || !(arguments[0].equals("install") || arguments[0].equals("check"))) {
            System.err.println("usage: install|check HOME RUNTIME");
            return USAGE;
        }
        Path home = Path.of(arguments[1]).toAbsolutePath();
        boolean install = arguments[0].equals("install");
        try {
            if (install) {
                prepare(home);
            }
            // without a state root nothing is made and nothing is there; programs work in some directory all the same
            Path directory = Files.isDirectory(home) ? home : Path.of("/");
            Path runtime = Path.of(arguments[2]).toAbsolutePath();
            KernelEnvironment kernels = new KernelEnvironment(
                    KernelFiles.of(home, runtime, environment), environment, new HostPrograms(directory, environment));
            KernelProgram program = new KernelProgram(kernels, out);
            return install ? program.install() : program.check(Optional.empty());
        } catch (IOException e) {
            line(out, "reason", e.toString());
            return FAILED;
        }
    }

    int install() throws IOException {
        return switch (kernels.install(step -> line(out, "step", step))) {
            case KernelPython.Ready _ -> check(Optional.empty());
            case KernelPython.Missing missing -> {
                check(Optional.of(missing.reason()));
                yield FAILED;
            }
        };
    }

    int check(Optional<String> reason) throws IOException {
        KernelState state = kernels.check();
        line(out, "state", state.state());
        line(out, "usable", Boolean.toString(state.usable()));
        state.python().ifPresent(python -> line(out, "python", python.toString()));
        state.version().ifPresent(version -> line(out, "version", version));
        line(out, "venv", state.venv().toString());
        state.uv().ifPresent(uv -> line(out, "uv", uv.toString()));
        state.settingUp().ifPresent(pid -> line(out, "settingUp", pid.toString()));
        reason.ifPresent(text -> line(out, "reason", text));
        return state.usable() ? DONE : FAILED;
    }

    private static void line(PrintStream out, String name, String value) {
        out.println(name + "\t" + value.replaceAll("\\p{Cntrl}", " "));
    }

    private static void prepare(Path home) throws IOException {
        if (!Files.isDirectory(home)) {
            Files.createDirectories(home.getParent());
            Files.createDirectory(
                    home, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        }
    }
}
