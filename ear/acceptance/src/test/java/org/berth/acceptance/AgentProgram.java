package org.berth.acceptance;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** The program Claude Code, installed by npm below the build directory at the first use. */
final class AgentProgram {
    private static final String PACKAGE = "@anthropic-ai/claude-code";

    /** Tried first; where the registry has it no more, the newest of its line. */
    private static final List<String> VERSIONS = List.of("2.1.197", "2.1.x");

    private static final Path DIRECTORY = BerthServer.DIRECTORY.resolve("agents");
    private static final byte[] ELF = {0x7f, 'E', 'L', 'F'};
    private static final int INSTALL_SECONDS = 300;

    private AgentProgram() {}

    /** The program, which every user can run. @throws AssertionError when npm does not bring it */
    static Path installed() {
        try {
            Path found = find();
            for (int i = 0; found == null && i < VERSIONS.size(); i++) {
                install(VERSIONS.get(i));
                found = find();
            }
            if (found == null) {
                throw new AssertionError("npm did not bring " + PACKAGE + " " + VERSIONS + ", which this test runs: "
                        + BerthServer.read(log()));
            }
            open(found);
            return found;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Path log() {
        return DIRECTORY.resolve("npm.log");
    }

    private static void install(String version) throws IOException {
        Files.createDirectories(DIRECTORY);
        ProcessBuilder builder = new ProcessBuilder(
                        "npm",
                        "install",
                        "--prefix",
                        DIRECTORY.toString(),
                        "--no-audit",
                        "--no-fund",
                        "--no-save",
                        "--ignore-scripts",
                        PACKAGE + "@" + version)
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
                throw new AssertionError("npm did not install " + PACKAGE + " within " + INSTALL_SECONDS + " s");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    /** The machine's own build of the program, which npm puts beside the package; null without one. */
    private static Path find() throws IOException {
        Path scope = DIRECTORY.resolve("node_modules").resolve(PACKAGE).getParent();
        if (!Files.isDirectory(scope)) {
            return null;
        }
        try (Stream<Path> packages = Files.list(scope)) {
            return packages.filter(each -> each.getFileName().toString().startsWith("claude-code-linux-"))
                    .filter(each -> !each.getFileName().toString().endsWith("-musl"))
                    .map(each -> each.resolve("claude"))
                    .filter(AgentProgram::isElf)
                    .findFirst()
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

    /** Lets every user read and run it, whatever our umask is. */
    private static void open(Path program) throws IOException {
        for (Path path = program; path.startsWith(DIRECTORY); path = path.getParent()) {
            Set<PosixFilePermission> permissions = Files.getPosixFilePermissions(path, LinkOption.NOFOLLOW_LINKS);
            if (permissions.addAll(Set.of(
                    PosixFilePermission.OWNER_EXECUTE,
                    PosixFilePermission.GROUP_READ,
                    PosixFilePermission.GROUP_EXECUTE,
                    PosixFilePermission.OTHERS_READ,
                    PosixFilePermission.OTHERS_EXECUTE))) {
                Files.setPosixFilePermissions(path, permissions);
            }
        }
    }
}
