package org.berth.cli.example;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.berth.cli.Failure;

/** The files of the maintained example. Source: the reference's example, in Berth's own words. */
public final class Example {
    private static final String POLICY = "policy.yaml";
    private static final List<String> NAMES = List.of(
            "README.md",
            "Dockerfile",
            "guest.py",
            POLICY,
            "rig.yaml",
            "agents/worker/agent.yaml",
            "agents/worker/role.md",
            "agents/coordinator/agent.yaml",
            "agents/coordinator/role.md",
            "driver-v1.schema.json",
            "claude-code-provider.yaml");

    private final Map<String, byte[]> files = new LinkedHashMap<>();

    /** @param allowed what the worker may reach besides the two listeners */
    public Example(Endpoints endpoints, List<AllowedHost> allowed) {
        for (String name : NAMES) {
            byte[] bytes = resource(name);
            files.put(name, name.equals(POLICY) ? policy(bytes, endpoints, allowed) : bytes);
        }
    }

    /**
     * Puts the files into {@code directory}. One that is there with the same bytes stays; with others, nothing is written.
     *
     * @return the names of the files that were written
     * @throws Failure when a file differs, or the directory cannot be written
     */
    public List<String> install(Path directory) {
        List<String> missing = new ArrayList<>();
        List<String> different = new ArrayList<>();
        try {
            for (Map.Entry<String, byte[]> file : files.entrySet()) {
                Path path = directory.resolve(file.getKey());
                if (!Files.exists(path, LinkOption.NOFOLLOW_LINKS)) {
                    missing.add(file.getKey());
                } else if (!same(path, file.getValue())) {
                    different.add("An existing file is preserved: " + path);
                }
            }
            if (!different.isEmpty()) {
                throw Failure.failed(
                        String.join("\n", different),
                        "Nothing was written. Move your own files away, or choose another --directory.");
            }
            for (String name : missing) {
                write(directory.resolve(name), files.get(name));
            }
            return missing;
        } catch (IOException e) {
            throw Failure.failed("The example cannot be written into " + directory + ": " + e.getMessage(), null);
        }
    }

    /** Every name, in the order of the installation. */
    public List<String> names() {
        return NAMES;
    }

    private static boolean same(Path path, byte[] bytes) throws IOException {
        return Files.isRegularFile(path, LinkOption.NOFOLLOW_LINKS)
                && Files.size(path) == bytes.length
                && Arrays.equals(Files.readAllBytes(path), bytes);
    }

    private static void write(Path path, byte[] bytes) throws IOException {
        Files.createDirectories(
                path.getParent(), PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        try (var channel = Files.newByteChannel(
                path,
                Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")))) {
            ByteBuffer buffer = ByteBuffer.wrap(bytes);
            while (buffer.hasRemaining()) {
                channel.write(buffer);
            }
        }
    }

    private static byte[] policy(byte[] template, Endpoints endpoints, List<AllowedHost> allowed) {
        String text = new String(template, StandardCharsets.UTF_8)
                .replace("{{mcp-host}}", endpoints.mcp().getHost())
                .replace("{{mcp-port}}", Integer.toString(Endpoints.port(endpoints.mcp())))
                .replace("{{activity-host}}", endpoints.activity().getHost())
                .replace("{{activity-port}}", Integer.toString(Endpoints.port(endpoints.activity())));
        StringBuilder whole = new StringBuilder(text);
        allowed.stream().distinct().forEach(each -> whole.append(each.entry()));
        return whole.toString().getBytes(StandardCharsets.UTF_8);
    }

    private static byte[] resource(String name) {
        try (InputStream in = Example.class.getResourceAsStream("files/" + name)) {
            if (in == null) {
                throw new NoSuchFileException(name);
            }
            return in.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
