package org.berth.credential.service;

import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.berth.files.PrivateFiles;
import org.berth.json.JsonText;
import org.berth.placement.CanonicalJson;

/**
 * What Berth itself made in a home, written before it is made: so a directory or file of the program's or a person's is
 * never taken for one of Berth's. A journal without a {@link ProviderMarker} tells of an interrupted seed.
 */
final class HomeJournal {
    private final Path file;
    private final Set<String> directories;
    private final Map<String, String> seeded;
    private final Set<String> configuration;

    private HomeJournal(Path file, Set<String> directories, Map<String, String> seeded, Set<String> configuration) {
        this.file = file;
        this.directories = directories;
        this.seeded = seeded;
        this.configuration = configuration;
    }

    /** Of a home in which nothing was made yet. */
    static HomeJournal begin(Path file) {
        return new HomeJournal(file, new LinkedHashSet<>(), new LinkedHashMap<>(), new LinkedHashSet<>());
    }

    /** Empty when nothing was made. @throws org.berth.problem.BerthException STORAGE */
    static Optional<HomeJournal> read(Path file) {
        return HomeRecords.read(file).map(tree -> {
            HomeRecords.requireKeys(tree, "directories", "seeded", "configuration");
            return new HomeJournal(
                    file,
                    new LinkedHashSet<>(HomeRecords.texts(tree, "directories")),
                    HomeRecords.named(tree, "seeded"),
                    new LinkedHashSet<>(HomeRecords.texts(tree, "configuration")));
        });
    }

    boolean madeDirectory(String path) {
        return directories.contains(path);
    }

    boolean wroteConfiguration(String path) {
        return configuration.contains(path);
    }

    /** Paths of the files that seeded the home. */
    Set<String> seeded() {
        return Set.copyOf(seeded.keySet());
    }

    /** Whether Berth itself last wrote the seed file, with these bytes. */
    boolean seededAs(String path, byte[] content) {
        return CanonicalJson.sha256(content).equals(seeded.get(path));
    }

    void makesDirectory(String path) throws IOException {
        record(directories, path);
    }

    void seeds(String path, byte[] content) throws IOException {
        seeded.put(path, CanonicalJson.sha256(content));
        write();
    }

    void writesConfiguration(String path) throws IOException {
        record(configuration, path);
    }

    private void record(Set<String> paths, String path) throws IOException {
        if (paths.add(path)) {
            write();
        }
    }

    void write() throws IOException {
        Map<String, Object> tree = new LinkedHashMap<>();
        tree.put("directories", directories);
        tree.put("seeded", seeded);
        tree.put("configuration", configuration);
        PrivateFiles.write(file, JsonText.write(tree));
    }
}
