package org.berth.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * The server under measurement.
 *
 * @param home its state root
 * @param offset added to its ports
 * @param token the owner's
 */
record Target(Path home, int offset, String token) {
    private static final int DAEMON = 7433;
    private static final int MANAGEMENT = 9990;

    /** From {@code BERTH_HOME} and {@code BERTH_PORT_OFFSET}. */
    static Target of(Map<String, String> environment) {
        String home = environment.get("BERTH_HOME");
        if (home == null) {
            throw new BenchmarkException("BERTH_HOME is not set; start with bench/run");
        }
        Path root = Path.of(home);
        try {
            return new Target(
                    root,
                    Integer.parseInt(environment.getOrDefault("BERTH_PORT_OFFSET", "0")),
                    Files.readString(root.resolve("owner.token")).strip());
        } catch (IOException e) {
            throw new BenchmarkException("no owner token in " + root + "; is the server up?", e);
        }
    }

    int port() {
        return DAEMON + offset;
    }

    int managementPort() {
        return MANAGEMENT + offset;
    }

    long serverPid() {
        try {
            return new Answer(200, Files.readString(home.resolve("server.json"))).number("pid");
        } catch (IOException e) {
            throw new BenchmarkException("no server.json in " + home, e);
        }
    }

    /** The newest process of this user whose command line is the supervisor's, on this state root. */
    long supervisorPid() {
        List<Long> found = ProcessHandle.allProcesses()
                .map(ProcessHandle::pid)
                .filter(pid -> {
                    String line = commandLine(pid);
                    return line.contains("org.berth.process.supervisor.Supervisor") && line.contains(home.toString());
                })
                .toList();
        if (found.isEmpty()) {
            throw new BenchmarkException("no supervisor of " + home + " is running");
        }
        return found.getLast();
    }

    private static String commandLine(long pid) {
        try {
            return Files.readString(Path.of("/proc/" + pid + "/cmdline"));
        } catch (IOException e) {
            return "";
        }
    }
}
