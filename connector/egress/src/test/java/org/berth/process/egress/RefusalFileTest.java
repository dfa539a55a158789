package org.berth.process.egress;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RefusalFileTest {
    @TempDir
    Path directory;

    private static Refusal refusal(String host) {
        return new Refusal(Instant.parse("2026-01-02T03:04:05Z"), host, 443, Refusal.Reason.NOT_LISTED);
    }

    @Test
    void eachRefusalIsALineOfJsonInAPrivateFile() throws IOException {
        Path path = directory.resolve("refusals");
        try (RefusalFile file = new RefusalFile(path)) {
            file.accept(refusal("a.example"));
            file.accept(refusal("b\"\n\u00e9"));
            assertThat(file.count()).isEqualTo(2);
        }
        assertThat(Files.readAllLines(path))
                .containsExactly(
                        "{\"at\":\"2026-01-02T03:04:05Z\",\"host\":\"a.example\",\"port\":443,\"reason\":\"not_listed\"}",
                        "{\"at\":\"2026-01-02T03:04:05Z\",\"host\":\"b\\u0022\\u000a\\u00e9\",\"port\":443,"
                                + "\"reason\":\"not_listed\"}");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(path)))
                .isEqualTo("rw-------");
    }

    @Test
    void theNewestLinesStayWithinTheBound() throws IOException {
        Path path = directory.resolve("refusals");
        try (RefusalFile file = new RefusalFile(path, 1000)) {
            for (int i = 0; i < 100; i++) {
                file.accept(refusal("host" + i));
                assertThat(Files.size(path)).isLessThanOrEqualTo(1000);
            }
            assertThat(file.count()).isEqualTo(100);
        }
        List<String> lines = Files.readAllLines(path);
        assertThat(lines).hasSizeGreaterThan(3).allMatch(line -> line.startsWith("{") && line.endsWith("}"));
        assertThat(lines.getLast()).contains("host99");
    }

    @Test
    void aFileOfAnEarlierRunIsContinued() throws IOException {
        Path path = directory.resolve("refusals");
        for (String host : List.of("first", "second")) {
            try (RefusalFile file = new RefusalFile(path)) {
                file.accept(refusal(host));
            }
        }
        assertThat(Files.readAllLines(path)).hasSize(2);
    }

    @Test
    void aLinkIsNotWrittenThrough() throws IOException {
        Path target = Files.createFile(directory.resolve("target"));
        Path link = Files.createSymbolicLink(directory.resolve("link"), target);
        assertThatThrownBy(() -> new RefusalFile(link)).isInstanceOf(IOException.class);
    }
}
