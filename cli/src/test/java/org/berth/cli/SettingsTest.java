package org.berth.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SettingsTest {
    @TempDir
    private Path home;

    private final Map<String, String> environment = new HashMap<>();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    @BeforeEach
    void aHomeWithAToken() throws IOException {
        environment.put("BERTH_HOME", home.toString());
        Path file = Files.writeString(home.resolve("owner.token"), "of the owner\n");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
    }

    private Settings settings() {
        return Settings.of(new Surroundings(
                environment,
                InputStream.nullInputStream(),
                OutputStream.nullOutputStream(),
                new PrintStream(err, true, StandardCharsets.UTF_8),
                false,
                false,
                false));
    }

    @Test
    void the_token_of_the_environment_comes_first_and_else_that_of_the_file() {
        assertThat(settings().token()).isEqualTo("of the owner");
        environment.put("BERTH_TOKEN", " mine ");
        assertThat(settings().token()).isEqualTo("mine");
        assertThat(err.size()).isZero();
    }

    @Test
    void a_token_file_that_others_can_read_is_warned_about() throws IOException {
        Files.setPosixFilePermissions(home.resolve("owner.token"), PosixFilePermissions.fromString("rw-r-----"));

        assertThat(settings().token()).isEqualTo("of the owner");
        assertThat(err.toString(StandardCharsets.UTF_8)).contains("warning", "chmod 600");
    }

    @Test
    void without_a_token_there_is_none() throws IOException {
        Files.delete(home.resolve("owner.token"));

        assertThat(settings().token()).isNull();
    }

    @Test
    void the_offset_moves_every_port() {
        environment.put("BERTH_PORT_OFFSET", "100");

        assertThat(settings().url()).hasToString("http://127.0.0.1:7533");
        assertThat(settings().consoleAddress()).hasToString("http://127.0.0.1:10090/console");
        assertThat(settings().guestPort()).isEqualTo(7882);
    }

    @Test
    void a_faulty_offset_is_usage() {
        environment.put("BERTH_PORT_OFFSET", "-1");

        assertThatThrownBy(this::settings)
                .isInstanceOfSatisfying(
                        Failure.class, failure -> assertThat(failure.exitCode()).isEqualTo(2));
    }
}
