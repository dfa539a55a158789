package org.berth.process.adapter;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;

/** Turns the adapter's properties into settings: fills in what was left empty and makes the state root. */
final class AdapterSettingsResolver {
    private AdapterSettingsResolver() {}

    /**
     * @throws IllegalArgumentException naming the property and its rule
     * @throws IOException when the state root cannot be made private
     */
    static AdapterSettings resolve(ProcessResourceAdapter adapter, Map<String, String> environment) throws IOException {
        Path stateRoot = stateRoot(absolute("stateRoot", adapter.getStateRoot()));
        String instance = SupervisorDistribution.instance(stateRoot);
        return new AdapterSettings(
                stateRoot,
                isDefault(adapter.getSocketDirectory())
                        ? defaultSocketDirectory(environment, instance)
                        : absolute("socketDirectory", adapter.getSocketDirectory()),
                absolute("supervisorDistribution", adapter.getSupervisorDistribution()),
                isDefault(adapter.getJavaCommand())
                        ? Path.of(System.getProperty("java.home"), "bin", "java")
                        : absolute("javaCommand", adapter.getJavaCommand()),
                instance,
                adapter.getChunkBytes(),
                adapter.getSpoolBytes(),
                adapter.getOutstandingChunks(),
                adapter.getFenceMillis(),
                adapter.getTakeoverMillis(),
                adapter.getConnectMillis(),
                adapter.getRequestMillis(),
                adapter.getReconnectMinMillis(),
                adapter.getReconnectMaxMillis(),
                adapter.getDeliveryLanes());
    }

    private static Path stateRoot(Path path) throws IOException {
        Files.createDirectories(
                path, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        Path real = path.toRealPath();
        try {
            Files.setPosixFilePermissions(real, PosixFilePermissions.fromString("rwx------"));
        } catch (IOException e) {
            LocalAccessException problem = new LocalAccessException(
                    real, "cannot be made private (mode 0700)", "Set stateRoot to a directory of the server's user");
            problem.initCause(e);
            throw problem;
        }
        return real;
    }

    private static Path defaultSocketDirectory(Map<String, String> environment, String instance) throws IOException {
        String base = environment.get("TMPDIR");
        return Path.of(isBlank(base) ? "/tmp" : base, "berth-" + SocketDirectory.ownUid(), instance)
                .toAbsolutePath();
    }

    private static Path absolute(String property, String value) {
        if (isBlank(value) || !Path.of(value).isAbsolute()) {
            throw new IllegalArgumentException(property + " must be an absolute path; it is '" + value + "'");
        }
        return Path.of(value).normalize();
    }

    /** The server's model has no empty values, so a word says it too. */
    private static boolean isDefault(String value) {
        return isBlank(value) || value.equals(ProcessResourceAdapter.DEFAULT);
    }

    private static boolean isBlank(String value) {
        return value == null || value.isBlank();
    }
}
