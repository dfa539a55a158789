package org.berth.environment.service;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.stream.Stream;
import org.berth.environment.EnvironmentBinding;
import org.berth.environment.EnvironmentPlacement;
import org.berth.environment.EnvironmentResource;

/** A provider whose environments and files lie on the disk, so that they outlive the process that asked for them. */
final class DurableDriver extends InMemoryDriver {
    private final Path resourceFile;
    private final Path guest;
    private final Path log;

    DurableDriver(Path directory) {
        resourceFile = directory.resolve("resources");
        guest = directory.resolve("guest");
        log = directory.resolve("log");
        try {
            Files.createDirectories(guest);
            if (Files.exists(resourceFile)) {
                for (String line : Files.readAllLines(resourceFile)) {
                    String[] parts = line.split("\\|");
                    resources.add(new EnvironmentResource(parts[0], parts[1], parts[2], parts[3], parts[4], parts[5]));
                }
            }
            try (Stream<Path> stored = Files.list(guest)) {
                for (Path each : stored.toList()) {
                    files.put(
                            URLDecoder.decode(each.getFileName().toString(), StandardCharsets.UTF_8),
                            Files.readAllBytes(each));
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Every create and upload that was ever asked for. */
    List<String> log() {
        try {
            return Files.exists(log) ? Files.readAllLines(log) : List.of();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public EnvironmentResource create(String effectId, EnvironmentPlacement placement) {
        EnvironmentResource made = super.create(effectId, placement);
        append(log, "create");
        append(
                resourceFile,
                String.join(
                        "|",
                        made.id(),
                        made.name(),
                        made.workspace(),
                        made.phase(),
                        made.fingerprint(),
                        made.operationId()));
        return made;
    }

    @Override
    public void upload(
            EnvironmentBinding binding, byte[] bytes, String destination, String previousSha256, boolean executable) {
        super.upload(binding, bytes, destination, previousSha256, executable);
        append(log, "upload " + destination);
        store(destination, bytes);
    }

    /** Puts a file into the guest, as its agent would. */
    void store(String path, byte[] bytes) {
        files.put(path, bytes);
        try {
            Files.write(guest.resolve(URLEncoder.encode(path, StandardCharsets.UTF_8)), bytes);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void append(Path file, String line) {
        try {
            Files.writeString(file, line + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
