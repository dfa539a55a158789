package org.berth.harness.service;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CellOutputRetentionTest {
    @TempDir
    private Path root;

    private Path output(String session, String name) throws IOException {
        return Files.createFile(Files.createDirectories(root.resolve(session)).resolve(name));
    }

    @Test
    void theOutputsOfSessionsThatAreOverGoAndNothingElse() throws IOException {
        Path gone = output("over", "cell-1.out");
        Path journal = output("left", "groups-1");
        Path besideJournal = output("left", "cell-2.out");
        Path open = output("open", "cell-3.out");
        Path names = output("over", "namespace.snapshot");
        Path unreadable = output("left", "namespace.snapshot.unreadable");
        Path unfinished = output("left", ".snapshot-x1");
        Path openNames = output("open", "namespace.snapshot");
        Path file = Files.createFile(root.resolve("over.txt"));

        CellOutputRetention.removeExpired(root, Set.of("over", "left", "over.txt")::contains);

        assertThat(gone.getParent()).doesNotExist();
        assertThat(besideJournal).doesNotExist();
        assertThat(journal).exists();
        assertThat(open).exists();
        assertThat(List.of(names, unreadable, unfinished)).noneMatch(Files::exists);
        assertThat(openNames).exists();
        assertThat(file).exists();
    }

    @Test
    void aLinkIsNotFollowed() throws IOException {
        Path elsewhere = Files.createDirectory(root.resolve("elsewhere"));
        Path kept = Files.createFile(elsewhere.resolve("cell-1.out"));
        Path sessions = Files.createDirectory(root.resolve("sessions"));
        Files.createSymbolicLink(sessions.resolve("linked"), elsewhere);
        CellOutputRetention.removeExpired(sessions, each -> true);
        assertThat(kept).exists();
    }

    @Test
    void withoutAnySessionThereIsNothingToDo() throws IOException {
        CellOutputRetention.removeExpired(root.resolve("none"), each -> true);
        assertThat(root).isEmptyDirectory();
    }
}
