package org.berth.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The server's host policy, changed for a measurement and put back. */
final class HostFile implements AutoCloseable {
    private final Path file;
    private final HttpConnection http;
    private final String before;

    HostFile(Target target, HttpConnection http) throws IOException {
        this.file = target.home().resolve("host.yaml");
        this.http = http;
        this.before = Files.readString(file);
    }

    /** Puts {@code policy} in force; what it leaves out has its default. */
    void put(String policy) throws IOException {
        Files.writeString(file, policy);
        http.post("/api/placement/host/reload", null).accepted();
    }

    @Override
    public void close() throws IOException {
        put(before);
    }
}
