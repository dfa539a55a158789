package org.berth.harness.access;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import org.berth.files.PrivateFiles;
import org.berth.harness.access.model.LocalAccessModel;

/**
 * The law of Berth's own files, whatever the umask and whatever was there before. That nobody ever sees another mode in
 * between is tested where the files are written. Source: the harness reference, Local access, 3.
 */
class PrivateFilesLawsTest {
    @Provide
    Arbitrary<Integer> umask() {
        return Places.umasks();
    }

    @Property(tries = 300)
    void private_on_create(
            @ForAll("umask") int umask, @ForAll @IntRange(max = 0777) int before, @ForAll boolean isThere)
            throws IOException {
        Places.under(umask, scratch -> {
            Path directory = scratch.resolve("d");
            if (isThere) {
                Files.createDirectory(directory);
                Files.setAttribute(directory, "unix:mode", before);
            }
            PrivateFiles.directory(directory);
            Path file = directory.resolve("f");
            if (isThere) {
                Files.createFile(file);
                Files.setAttribute(file, "unix:mode", before);
            }
            PrivateFiles.write(file, "text");
            assertThat(Places.mode(directory)).isEqualTo(LocalAccessModel.created(true, umask));
            assertThat(Places.mode(file)).isEqualTo(LocalAccessModel.created(false, umask));
        });
    }
}
