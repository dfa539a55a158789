package org.berth.acceptance;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermission;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** The agents' own programs, each installed by npm below the build directory at the first use. */
enum AgentProgram {
    CLAUDE("claude", "@anthropic-ai/claude-code", "2.1.197", "2.1.x"),
    CODEX("codex", "@openai/codex", "0.171.0", "0.171.x"),
    OPENCODE("opencode", "opencode-ai", "1.18.33", "1.18.x");

    private static final byte[] ELF = {0x7f, 'E', 'L', 'F'};
    private static final int INSTALL_SECONDS = 300;

    private final String command;
    private final String npmPackage;

    /** Tried in this order: where the registry has the first no more, the newest of its line. */
    private final List<String> versions;

    private final Path directory;

    AgentProgram(String command, String npmPackage, String... versions) {
        this.command = command;
        this.npmPackage = npmPackage;
        this.versions = List.of(versions);
        // One tree for each: npm takes away what another install put into its tree.
        this.directory = BerthServer.DIRECTORY.resolve("agents").resolve(command);
    }

    /** Its name on a command line, and that of its driver. */
    String command() {
        return command;
    }

    /** The program, which every user can run. @throws AssertionError when npm does not bring it */
    Path installed() {
        try {
            Files.createDirectories(directory);
            // The tests run in two virtual machines.
            try (FileChannel lock = FileChannel.open(
                            directory.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                    var _ = lock.lock()) {
                return foundOrBrought();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private synchronized Path foundOrBrought() throws IOException {
        Path found = find();
        for (int i = 0; found == null && i < versions.size(); i++) {
            install(versions.get(i));
            open();
            found = find();
        }
        if (found == null) {
            throw new AssertionError("npm did not bring " + npmPackage + " " + versions + ", which this test runs: "
                    + BerthServer.read(log()));
        }
        return found;
    }

    private Path log() {
        return directory.resolve("npm.log");
    }

    private void install(String version) {
        ProcessBuilder builder = new ProcessBuilder(
                        "npm",
                        "install",
                        "--prefix",
                        directory.toString(),
                        "--no-audit",
                        "--no-fund",
                        "--no-save",
                        "--ignore-scripts",
                        npmPackage + "@" + version)
                .redirectErrorStream(true)
                .redirectOutput(log().toFile());
        Process npm;
        try {
            npm = builder.start();
        } catch (IOException e) {
            throw new AssertionError("npm, which brings the agent that this test runs, is not on this machine", e);
        }
        try {
            if (!npm.waitFor(INSTALL_SECONDS, TimeUnit.SECONDS)) {
                npm.destroyForcibly();
                throw new AssertionError("npm did not install " + npmPackage + " within " + INSTALL_SECONDS + " s");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    /** The machine's own build of the program, which npm puts beside the package; null without one. */
    private Path find() throws IOException {
        Path modules = directory.resolve("node_modules");
        if (!Files.isDirectory(modules)) {
            return null;
        }
        boolean fast = Files.readString(Path.of("/proc/cpuinfo")).contains(" avx2 ");
        Comparator<Path> baselineLast =
                Comparator.comparing(each -> each.toString().contains("-baseline/"));
        try (Stream<Path> tree = Files.walk(modules)) {
            return tree.filter(each -> each.endsWith(command))
                    .filter(each -> !each.toString().matches(".*-linux-[a-z0-9-]*-musl/.*"))
                    .filter(AgentProgram::isElf)
                    .min(fast ? baselineLast : baselineLast.reversed())
                    .orElse(null);
        }
    }

    private static boolean isElf(Path file) {
        if (!Files.isRegularFile(file)) {
            return false;
        }
        try (InputStream in = Files.newInputStream(file)) {
            return Arrays.equals(in.readNBytes(ELF.length), ELF);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Lets every user read and run what npm brought, whatever our umask is. */
    private void open() throws IOException {
        permit(directory.getParent());
        try (Stream<Path> tree = Files.walk(directory)) {
            for (Path path : (Iterable<Path>) tree::iterator) {
                permit(path);
            }
        }
    }

    private static void permit(Path path) throws IOException {
        if (Files.isSymbolicLink(path)) {
            return;
        }
        Set<PosixFilePermission> permissions = Files.getPosixFilePermissions(path, LinkOption.NOFOLLOW_LINKS);
        boolean runs = Files.isDirectory(path) || isElf(path);
        permissions.addAll(Set.of(PosixFilePermission.GROUP_READ, PosixFilePermission.OTHERS_READ));
        if (runs) {
            permissions.addAll(Set.of(
                    PosixFilePermission.OWNER_EXECUTE,
                    PosixFilePermission.GROUP_EXECUTE,
                    PosixFilePermission.OTHERS_EXECUTE));
        }
        Files.setPosixFilePermissions(path, permissions);
    }
}
