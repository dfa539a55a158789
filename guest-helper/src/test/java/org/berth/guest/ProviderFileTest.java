package org.berth.guest;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProviderFileTest {
    @Test
    void the_files_variables_join_those_of_the_process(@TempDir Path directory) throws IOException {
        Path file = Files.writeString(directory.resolve("provider"), "{\"ANTHROPIC_API_KEY\":\"k\",\"LANG\":\"C\"}");
        assertThat(ProviderFile.joined(Map.of("LANG", "x", ProviderFile.VARIABLE, file.toString())))
                .containsEntry("ANTHROPIC_API_KEY", "k")
                .containsEntry("LANG", "C");
    }

    @Test
    void without_a_file_or_with_one_that_cannot_be_read_the_process_has_its_own(@TempDir Path directory)
            throws IOException {
        assertThat(ProviderFile.joined(Map.of("LANG", "x"))).isEqualTo(Map.of("LANG", "x"));
        Map<String, String> missing =
                Map.of(ProviderFile.VARIABLE, directory.resolve("none").toString());
        assertThat(ProviderFile.joined(missing)).isEqualTo(missing);
        Path bad = Files.writeString(directory.resolve("bad"), "[1]");
        assertThat(ProviderFile.joined(Map.of(ProviderFile.VARIABLE, bad.toString())))
                .hasSize(1);
    }
}
