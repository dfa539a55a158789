package org.berth.environment.local;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.berth.files.PrivateFiles;
import org.berth.json.StrictJson;
import org.berth.problem.BerthException;
import org.berth.problem.ProblemCode;

/** The metadata directory: one private file for each environment. For any thread. */
final class LocalRecords {
    private static final Logger LOG = Logger.getLogger(LocalRecords.class.getName());
    private static final String SUFFIX = ".json";

    private final Path directory;
    private final Map<Path, Seen> seen = new ConcurrentHashMap<>();

    /** A file as it was read. Every write makes a new file, so that the same one holds the same. */
    private record Seen(Object fileKey, FileTime changed, long bytes, LocalRecord record) {
        private static Seen of(BasicFileAttributes now, LocalRecord record) {
            return new Seen(now.fileKey(), now.lastModifiedTime(), now.size(), record);
        }

        private boolean is(BasicFileAttributes now) {
            return fileKey.equals(now.fileKey()) && changed.equals(now.lastModifiedTime()) && bytes == now.size();
        }
    }

    LocalRecords(Path directory) {
        this.directory = directory;
    }

    /** @param complete whether every file of the directory could be read */
    record Listing(boolean complete, List<LocalRecord> records) {}

    Listing list() {
        List<LocalRecord> records = new ArrayList<>();
        boolean complete = true;
        try (DirectoryStream<Path> files = Files.newDirectoryStream(directory, "[!.]*" + SUFFIX)) {
            for (Path file : files) {
                try {
                    records.add(known(file));
                } catch (NoSuchFileException e) {
                    // Removed since the directory was read: it is not there, and the listing says so.
                    LOG.log(Level.FINE, "an environment was deleted while they were listed", e);
                } catch (IOException | RuntimeException e) {
                    LOG.log(Level.WARNING, "the metadata file " + file + " cannot be read", e);
                    complete = false;
                }
            }
        } catch (NoSuchFileException e) {
            return new Listing(true, List.of());
        } catch (IOException e) {
            throw storage(e);
        }
        return new Listing(complete, records);
    }

    Optional<LocalRecord> find(Predicate<LocalRecord> wanted) {
        return list().records().stream().filter(wanted).findFirst();
    }

    void write(LocalRecord written) {
        try {
            PrivateFiles.write(file(written), written.write());
        } catch (IOException e) {
            throw storage(e);
        }
    }

    void remove(LocalRecord removed) {
        try {
            Files.deleteIfExists(file(removed));
            seen.remove(file(removed));
        } catch (IOException e) {
            throw storage(e);
        }
    }

    private LocalRecord known(Path file) throws IOException {
        BasicFileAttributes now = Files.readAttributes(file, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
        Seen before = seen.get(file);
        if (before != null && before.is(now)) {
            return before.record();
        }
        LocalRecord read = read(file);
        seen.put(file, Seen.of(now, read));
        return read;
    }

    private static LocalRecord read(Path file) throws IOException {
        LocalRecord read = LocalRecord.read(StrictJson.object(Files.readAllBytes(file)));
        if (!file.getFileName().toString().equals(read.id() + SUFFIX)) {
            throw new IllegalArgumentException("the file's name is not its id");
        }
        return read;
    }

    private Path file(LocalRecord of) {
        return directory.resolve(of.id() + SUFFIX);
    }

    private static BerthException storage(IOException cause) {
        return new BerthException(ProblemCode.STORAGE, "the metadata of environments cannot be read or written", cause);
    }
}
