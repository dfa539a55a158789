package org.berth.environment.local;

import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.berth.host.EnvironmentSettings.Engine;
import org.berth.placement.ProcessIdentity;

/** Values of the driver for tests. */
final class LocalSamples {
    static final Instant CREATED = Instant.parse("2026-01-02T03:04:05Z");

    private LocalSamples() {}

    static LocalRecord aRecord(String id, String name) {
        return new LocalRecord(
                id,
                name,
                "team",
                "env-" + id,
                "f-" + id,
                "0".repeat(32),
                "/opt/agent@sha256:" + "a".repeat(64),
                "anthropic",
                "b".repeat(64),
                Engine.BUBBLEWRAP,
                CREATED,
                null,
                List.of("Something does not hold."));
    }

    static ProcessIdentity aProcess() {
        return new ProcessIdentity(10, 10, 100, "boot", new ProcessIdentity.Tree(11, 101, 12, 102));
    }

    static GuestView aView() {
        return new GuestView(
                "worker",
                Path.of("/state/tree"),
                Path.of("/state/channel"),
                Path.of("/dist/guest"),
                Path.of("/state/programs/agent"),
                Map.of("passwd", Path.of("/state/etc/passwd"), "ssl/certs", Path.of("/etc/ssl/certs")),
                new GuestView.SystemDirectories(List.of("/usr", "/lib64"), Map.of("/bin", "usr/bin"), "/usr/local/bin"),
                true,
                List.of("/srv/data"));
    }
}
