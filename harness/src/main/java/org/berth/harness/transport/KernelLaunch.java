package org.berth.harness.transport;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.berth.problem.BerthException;

/**
 * The process that carries a kernel. It must be the leader of a process group: a kill closes its input, then signals that
 * group.
 *
 * @param argv the command
 * @param environment of the process: for a wrapped kernel that of the wrapper, not the kernel's
 * @param workingDirectory of the process
 * @param kernelDirectory the kernel's working directory as the kernel names it
 * @param diagnostics what was left out, one sentence each
 */
public record KernelLaunch(
        List<String> argv,
        Map<String, String> environment,
        Path workingDirectory,
        String kernelDirectory,
        List<String> diagnostics) {
    /** Source: guest-helper/kernel/README.md, End. */
    static final String OWNER_PID = "BERTH_KERNEL_OWNER_PID";

    static final String OWNER = "BERTH_KERNEL_OWNER";
    static final String MODULE = "berth_kernel.repl";

    public KernelLaunch {
        argv = List.copyOf(argv);
        environment = Map.copyOf(environment);
        diagnostics = List.copyOf(diagnostics);
    }

    /** @throws BerthException {@code invalid} when the working directory is outside every mount */
    public static KernelLaunch of(KernelTransport transport, KernelStart start) {
        return switch (transport) {
            case KernelTransport.Local local -> local(local, start);
            case KernelTransport.Wrapped wrapped -> new WrappedLaunch(wrapped, start).launch();
        };
    }

    private static KernelLaunch local(KernelTransport.Local transport, KernelStart start) {
        Map<String, String> environment = new TreeMap<>(start.hostEnvironment());
        environment.putAll(start.entries());
        start.pathEntries().forEach((name, path) -> environment.put(name, path.toString()));
        List<String> imports = new ArrayList<>();
        start.importDirectories().forEach(path -> imports.add(path.toString()));
        imports.add(start.runtimeDirectory().toString());
        String given = environment.getOrDefault("PYTHONPATH", "");
        if (!given.isEmpty()) {
            imports.add(given);
        }
        environment.put("PYTHONPATH", String.join(":", imports));
        environment.remove(OWNER);
        environment.put(OWNER_PID, Long.toString(start.ownerPid()));
        return new KernelLaunch(
                List.of(transport.python(), "-m", MODULE),
                environment,
                start.workingDirectory(),
                start.workingDirectory().toString(),
                List.of());
    }
}
