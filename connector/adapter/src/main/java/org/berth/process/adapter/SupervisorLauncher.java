package org.berth.process.adapter;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Starts a supervisor that outlives this server: own session, no inherited descriptor, scrubbed environment. */
final class SupervisorLauncher {
    private static final List<String> KEPT_VARIABLES = List.of("PATH", "HOME", "TMPDIR");

    private final AdapterSettings settings;
    private final SupervisorDistribution distribution;
    private final Map<String, String> environment;

    /** {@code environment}: the server's own, of which a few names are kept. */
    SupervisorLauncher(AdapterSettings settings, SupervisorDistribution distribution, Map<String, String> environment) {
        this.settings = settings;
        this.distribution = distribution;
        this.environment = environment;
    }

    /** Starts the supervisor of an installed {@code build}. It listens some time after this returns. */
    Process start(String build) throws IOException {
        Path copy = distribution.copy(build);
        File console = privateFile(distribution.console(build));
        ProcessBuilder builder = new ProcessBuilder(command(copy, build))
                .directory(copy.toFile())
                .redirectInput(new File("/dev/null"))
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(console));
        builder.environment().clear();
        for (String name : KEPT_VARIABLES) {
            String value = environment.get(name);
            if (value != null) {
                builder.environment().put(name, value);
            }
        }
        builder.environment().put("LANG", "C.UTF-8");
        return builder.start();
    }

    private List<String> command(Path copy, String build) throws IOException {
        List<String> command = new ArrayList<>();
        // Without --fork: the child leads no group yet, so it becomes the session's leader and keeps its number.
        command.add("setsid");
        command.add(settings.javaCommand().toString());
        if (Files.isRegularFile(copy.resolve("java.args"))) {
            command.add("@java.args");
        }
        String libraries = Files.isDirectory(copy.resolve("lib")) ? ":lib/*" : "";
        command.addAll(List.of("-cp", "berth-supervisor.jar" + libraries, "org.berth.process.supervisor.Supervisor"));
        option(command, "socket-dir", settings.socketDirectory());
        option(command, "state", distribution.state(build));
        option(command, "instance", settings.instance());
        option(command, "build", build);
        option(command, "chunk-bytes", settings.chunkBytes());
        option(command, "spool-bytes", settings.spoolBytes());
        option(command, "outstanding", settings.outstandingChunks());
        option(command, "fence-ms", settings.fenceMillis());
        option(command, "takeover-ms", settings.takeoverMillis());
        return command;
    }

    private static void option(List<String> command, String name, Object value) {
        command.add("--" + name);
        command.add(value.toString());
    }

    private static File privateFile(Path file) throws IOException {
        if (!Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
            Files.newByteChannel(
                            file,
                            Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE),
                            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")))
                    .close();
        }
        return file.toFile();
    }
}
