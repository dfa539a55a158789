package org.berth.process.supervisor;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.berth.process.supervisor.os.OwnProcess;

/**
 * What the command line says.
 *
 * @param socketDirectory where the socket is
 * @param stateDirectory where the journal, the lock and the log are
 * @param build digest of the program; its first 8 characters name the socket, the lock and the journal
 */
record Settings(Path socketDirectory, Path stateDirectory, String build, Limits limits) {
    private static final Set<String> NAMES = Set.of(
            "socket-dir",
            "state",
            "instance",
            "chunk-bytes",
            "spool-bytes",
            "outstanding",
            "fence-ms",
            "takeover-ms",
            "build");

    /** @throws IllegalArgumentException with a sentence for the operator */
    static Settings parse(List<String> arguments, Map<String, String> environment) {
        Map<String, String> given = new HashMap<>();
        for (int i = 0; i < arguments.size(); i += 2) {
            String name = arguments.get(i);
            if (!name.startsWith("--") || !NAMES.contains(name.substring(2))) {
                throw new IllegalArgumentException("unknown option " + name + "; known are "
                        + NAMES.stream().sorted().map(each -> "--" + each).toList());
            }
            if (i + 1 == arguments.size()) {
                throw new IllegalArgumentException(name + " needs a value");
            }
            given.put(name.substring(2), arguments.get(i + 1));
        }
        Path state = stateDirectory(given.get("state"), environment);
        return new Settings(
                socketDirectory(given, environment, state),
                state,
                build(given.getOrDefault("build", "development")),
                new Limits(
                        number(given, "chunk-bytes", Limits.DEFAULT.chunkBytes()),
                        number(given, "spool-bytes", Limits.DEFAULT.spoolBytes()),
                        number(given, "outstanding", Limits.DEFAULT.outstanding()),
                        number(given, "fence-ms", Limits.DEFAULT.fenceMillis()),
                        number(given, "takeover-ms", Limits.DEFAULT.takeoverMillis())));
    }

    private static Path stateDirectory(String given, Map<String, String> environment) {
        if (given != null) {
            return Path.of(given).toAbsolutePath().normalize();
        }
        String home = environment.get("BERTH_HOME");
        if (home == null || home.isEmpty()) {
            throw new IllegalArgumentException("--state is needed, since BERTH_HOME is not set");
        }
        return Path.of(home, "supervisor", "state").toAbsolutePath().normalize();
    }

    private static Path socketDirectory(Map<String, String> given, Map<String, String> environment, Path state) {
        if (given.containsKey("socket-dir")) {
            return Path.of(given.get("socket-dir")).toAbsolutePath().normalize();
        }
        String temporary = environment.getOrDefault("TMPDIR", "/tmp");
        String instance =
                given.getOrDefault("instance", digest(state.toString()).substring(0, 12));
        return Path.of(temporary, "berth-" + OwnProcess.uid(), instance)
                .toAbsolutePath()
                .normalize();
    }

    private static String build(String given) {
        if (!given.matches("[A-Za-z0-9]{8,128}")) {
            throw new IllegalArgumentException("--build is 8..128 letters and digits");
        }
        return given;
    }

    private static int number(Map<String, String> given, String name, int otherwise) {
        String text = given.get(name);
        try {
            return text == null ? otherwise : Integer.parseInt(text);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("--" + name + " is a whole number, not " + text, e);
        }
    }

    private static String digest(String text) {
        try {
            return HexFormat.of()
                    .formatHex(MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }

    private String shortBuild() {
        return build.substring(0, 8);
    }

    Path socket() {
        return socketDirectory.resolve("supervisor-" + shortBuild() + ".sock");
    }

    Path lock() {
        return stateDirectory.resolve(shortBuild() + ".lock");
    }

    /** Where the open channels are kept. */
    Path channels() {
        return stateDirectory.resolve(shortBuild() + ".channels");
    }

    Path journal() {
        return stateDirectory.resolve(shortBuild() + ".journal");
    }
}
