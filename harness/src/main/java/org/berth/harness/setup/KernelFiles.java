package org.berth.harness.setup;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.berth.files.PrivateFiles;
import org.berth.files.Trees;

/**
 * Where the kernel's virtual environment is, and what it is made of.
 *
 * @param venv absolute; its directory must be there
 * @param runtime the directory that holds the package berth_kernel and its lock file
 */
public record KernelFiles(Path venv, Path runtime) {
    /** Names another place of the virtual environment. */
    public static final String VENV = "BERTH_KERNEL_VENV";

    private static final String MARKER = "berth-kernel-build";

    /** Those of a state root; the environment may name another place. */
    public static KernelFiles of(Path home, Path runtime, Map<String, String> environment) {
        String named = environment.getOrDefault(VENV, "");
        Path venv = named.isBlank() ? home.resolve("kernel-venv") : home.resolve(named);
        return new KernelFiles(venv.toAbsolutePath().normalize(), runtime);
    }

    /** The interpreter of the virtual environment. */
    public Path python() {
        return venv.resolve("bin/python");
    }

    /** The packages with their versions and hashes. */
    public Path lockFile() {
        return runtime.resolve("requirements-kernel.txt");
    }

    /** Held by the one process that makes the virtual environment. */
    public Path bootstrapLock() {
        return venv.resolveSibling(venv.getFileName() + ".bootstrap.lock");
    }

    /** What is there now. */
    public VenvFound found() throws IOException {
        if (!Files.isDirectory(venv)) {
            return VenvFound.NONE;
        }
        boolean checked = Files.isExecutable(python()) && digest().equals(marker());
        return checked ? VenvFound.CHECKED : VenvFound.OTHER_BUILD;
    }

    /** The sha256 of all that a virtual environment is made of, in hexadecimal. */
    public String digest() throws IOException {
        MessageDigest digest = sha256();
        add(digest, "python", UvCommand.PYTHON.getBytes(StandardCharsets.UTF_8));
        for (Path file : sources()) {
            add(digest, runtime.relativize(file).toString(), Files.readAllBytes(file));
        }
        return HexFormat.of().formatHex(digest.digest());
    }

    /** Notes that the virtual environment is whole and checked. @param digest taken before it was made */
    void vouch(String digest) throws IOException {
        PrivateFiles.write(venv.resolve(MARKER), digest + "\n");
    }

    /** Removes the virtual environment: first what vouches for it. */
    void remove() throws IOException {
        Files.deleteIfExists(venv.resolve(MARKER));
        Trees.remove(venv);
    }

    private String marker() throws IOException {
        try {
            return Files.readString(venv.resolve(MARKER)).strip();
        } catch (NoSuchFileException e) {
            return "";
        }
    }

    private List<Path> sources() throws IOException {
        try (Stream<Path> all = Files.walk(runtime)) {
            return all.filter(file -> {
                        String name = file.getFileName().toString();
                        return name.endsWith(".py") || name.endsWith(".toml") || file.equals(lockFile());
                    })
                    .filter(Files::isRegularFile)
                    .filter(file -> !runtime.relativize(file).startsWith("tests"))
                    .sorted()
                    .toList();
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }

    private static void add(MessageDigest digest, String name, byte[] content) {
        digest.update((name + "\0" + content.length + "\0").getBytes(StandardCharsets.UTF_8));
        digest.update(content);
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
