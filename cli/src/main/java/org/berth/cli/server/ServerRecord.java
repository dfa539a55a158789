package org.berth.cli.server;

import jakarta.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalLong;
import org.berth.cli.api.Json;

/**
 * What the server's start wrote about itself in {@code server.json}.
 *
 * @param pid its process
 * @param startTicks when that process started, in clock ticks since boot
 * @param bootId the boot that it belongs to; null when the file does not tell
 * @param startedAt ISO 8601
 * @param guestPort the guest listener's; empty while it is closed
 */
public record ServerRecord(long pid, long startTicks, String bootId, String startedAt, OptionalLong guestPort) {
    /** The record below {@code home}; empty when there is none that can be read. */
    public static Optional<ServerRecord> read(Path home) {
        try {
            return Json.parse(Files.readString(home.resolve("server.json"))).flatMap(ServerRecord::of);
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    private static Optional<ServerRecord> of(JsonObject json) {
        OptionalLong pid = Json.number(json, "pid");
        OptionalLong ticks = Json.number(json, "startTicks");
        if (pid.isEmpty() || ticks.isEmpty() || pid.getAsLong() < 2) {
            return Optional.empty();
        }
        return Optional.of(new ServerRecord(
                pid.getAsLong(),
                ticks.getAsLong(),
                Json.text(json, "bootId"),
                Json.text(json, "startedAt"),
                Json.number(Json.object(json, "ports"), "guest")));
    }

    /** The same process still runs: same boot, same pid, same start. */
    public boolean alive() {
        return process().alive();
    }

    /** The server's process. */
    public ProcessMark process() {
        return new ProcessMark(pid, startTicks, bootId);
    }
}
