package org.berth.harness.transport;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.berth.problem.BerthException;
import org.berth.problem.ProblemCode;

/** A kernel's command on the other side of a wrapper: its directory, exactly its variables, its interpreter. */
final class WrappedLaunch {
    /**
     * Enters the directory and drops every variable but the search path and the home of the sandbox: a wrapper that passes
     * its own environment on would give the host's to the kernel.
     */
    private static final String ENTER =
            "cd -- \"$1\" || exit 1; shift; exec env -i ${PATH:+\"PATH=$PATH\"} ${HOME:+\"HOME=$HOME\"} \"$@\"";

    private final KernelTransport.Wrapped transport;
    private final KernelStart start;
    private final List<String> diagnostics = new ArrayList<>();

    WrappedLaunch(KernelTransport.Wrapped transport, KernelStart start) {
        this.transport = transport;
        this.start = start;
    }

    KernelLaunch launch() {
        String directory = transport
                .kernelPath(start.workingDirectory())
                .orElseThrow(() -> new BerthException(
                        ProblemCode.INVALID,
                        "working directory " + start.workingDirectory()
                                + " is outside every shared directory of the kernel transport"));
        List<String> command = new ArrayList<>(List.of("sh", "-c", ENTER, "berth-kernel", directory));
        variables().forEach((name, value) -> command.add(name + "=" + value));
        command.addAll(List.of(transport.python(), "-m", KernelLaunch.MODULE));
        List<String> argv = new ArrayList<>(transport.argvPrefix());
        switch (transport.command()) {
            case ARGV -> argv.addAll(command);
            case SHELL -> argv.add(ShellWords.join(command));
        }
        return new KernelLaunch(argv, start.hostEnvironment(), start.workingDirectory(), directory, diagnostics);
    }

    private Map<String, String> variables() {
        Map<String, String> variables = new TreeMap<>();
        for (String name : transport.env()) {
            Optional.ofNullable(start.hostEnvironment().get(name)).ifPresent(value -> variables.put(name, value));
        }
        variables.putAll(start.entries());
        start.pathEntries().forEach((name, path) -> {
            variables.remove(name);
            mapped(path, name + " is left out").ifPresent(value -> variables.put(name, value));
        });
        List<String> imports = new ArrayList<>();
        for (Path path : start.importDirectories()) {
            mapped(path, "Python directory is left out").ifPresent(imports::add);
        }
        transport.kernelPath(start.runtimeDirectory()).ifPresent(imports::add);
        Optional.ofNullable(variables.get("PYTHONPATH")).ifPresent(imports::add);
        if (!imports.isEmpty()) {
            variables.put("PYTHONPATH", String.join(":", imports));
        }
        variables.remove(KernelLaunch.OWNER_PID);
        variables.put(KernelLaunch.OWNER, "stdin");
        return variables;
    }

    private Optional<String> mapped(Path path, String otherwise) {
        Optional<String> mapped = transport.kernelPath(path);
        if (mapped.isEmpty()) {
            diagnostics.add(otherwise + ": no shared directory of the kernel transport holds " + path);
        }
        return mapped;
    }
}
