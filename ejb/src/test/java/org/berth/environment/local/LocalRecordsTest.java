package org.berth.environment.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.berth.environment.local.LocalSamples.aRecord;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LocalRecordsTest {
    @TempDir
    Path directory;

    private LocalRecords records;

    @BeforeEach
    void records() {
        records = new LocalRecords(directory);
    }

    @Test
    void a_directory_that_was_never_made_lists_completely_and_nothing() {
        assertThat(new LocalRecords(directory.resolve("none")).list())
                .isEqualTo(new LocalRecords.Listing(true, java.util.List.of()));
    }

    @Test
    void what_was_written_is_read_again_with_its_process_and_is_private() throws Exception {
        LocalRecord begun = aRecord(UUID.randomUUID().toString(), "worker");
        LocalRecord started = begun.withProcess(LocalSamples.aProcess());
        records.write(begun);
        assertThat(records.list().records()).containsExactly(begun);
        records.write(started);
        assertThat(records.list().records()).containsExactly(started);
        assertThat(PosixFilePermissions.toString(
                        Files.getPosixFilePermissions(directory.resolve(begun.id() + ".json"))))
                .isEqualTo("rw-------");
        records.remove(started);
        records.remove(started);
        assertThat(records.list().records()).isEmpty();
    }

    @Test
    void every_environment_is_listed_and_a_file_half_written_beside_them_is_none() throws Exception {
        for (int i = 0; i < 150; i++) {
            records.write(aRecord(UUID.randomUUID().toString(), "w" + i));
        }
        Files.writeString(directory.resolve(".half.json"), "{");
        assertThat(records.list().complete()).isTrue();
        assertThat(records.list().records()).hasSize(150);
    }

    @Test
    void a_file_that_cannot_be_read_makes_the_listing_incomplete() throws Exception {
        LocalRecord whole = aRecord(UUID.randomUUID().toString(), "worker");
        records.write(whole);
        Files.writeString(directory.resolve("broken.json"), "{\"id\":\"x\"}");
        assertThat(records.list()).isEqualTo(new LocalRecords.Listing(false, java.util.List.of(whole)));
        Files.writeString(directory.resolve("broken.json"), whole.write());
        assertThat(records.list().complete()).isFalse();
    }
}
