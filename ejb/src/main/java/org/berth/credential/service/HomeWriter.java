package org.berth.credential.service;

import java.io.IOException;
import java.nio.file.Path;
import org.berth.harness.tree.Directory;
import org.berth.harness.tree.Status;
import org.berth.host.service.NoFollowFiles;
import org.berth.problem.BerthException;

/**
 * Writes single files into a private home: no link is followed, missing parents are made one by one with mode 0700, and an
 * existing parent must be one that Berth made. Source: placement.md, Start step 4.
 */
final class HomeWriter {
    private static final int PRIVATE_DIRECTORY = 0700;

    private final Path home;
    private final HomeJournal journal;
    private final SeedStep.Watch watch;

    HomeWriter(Path home, HomeJournal journal, SeedStep.Watch watch) {
        this.home = home;
        this.journal = journal;
        this.watch = watch;
    }

    /** What a file may find in its place. */
    enum Place {
        /** Nothing, and no parent that Berth did not make. */
        FREE,
        /** Also an earlier file of Berth's own. */
        OWN,
        /** Also a file of the program's, below whatever directory it has. */
        PROGRAMS
    }

    /**
     * Makes or replaces the file, with temporary name, fsync, rename and directory fsync.
     *
     * @throws BerthException CONFLICT when a parent or the file is more than {@code place} allows
     */
    void write(String path, byte[] content, Place place) throws IOException, ConfigurationUncertainException {
        String name = NoFollowFiles.name(path);
        try (Directory root = Directory.open(home);
                Directory parent = directory(root, NoFollowFiles.parent(path), place)) {
            Status there = parent.status(name);
            if (there != null && (place == Place.FREE || !there.isRegular())) {
                throw BerthException.conflict("the file " + path
                        + " of the private home is there already, and it is not" + " Berth's to replace");
            }
            NoFollowFiles.replace(parent, name, content);
            sync(parent, path);
        }
    }

    /** Makes the directory with its parents, each of which must be absent or Berth's; the empty path is the home. */
    void makeDirectory(String path) throws IOException {
        try (Directory root = Directory.open(home)) {
            directory(root, path, Place.FREE).close();
        }
    }

    private void sync(Directory parent, String path) throws ConfigurationUncertainException {
        try {
            watch.passed(SeedStep.RENAMED);
            parent.sync();
        } catch (IOException e) {
            throw new ConfigurationUncertainException(path, e);
        }
    }

    private Directory directory(Directory root, String path, Place place) throws IOException {
        Directory at = root.directory(".");
        for (int from = 0; from < path.length(); ) {
            int slash = path.indexOf('/', from);
            int end = slash < 0 ? path.length() : slash;
            try (Directory above = at) {
                at = child(above, path.substring(from, end), path.substring(0, end), place);
            }
            from = end + 1;
        }
        return at;
    }

    private Directory child(Directory above, String name, String path, Place place) throws IOException {
        Status there = above.status(name);
        if (there == null) {
            journal.makesDirectory(path);
            above.make(name, PRIVATE_DIRECTORY);
            above.sync();
            watch.passed(SeedStep.DIRECTORY_MADE);
        } else if (!there.isDirectory() || place != Place.PROGRAMS && !journal.madeDirectory(path)) {
            throw BerthException.conflict("the directory " + path
                    + " of the private home is there already, and Berth did not make it; nothing is written below it");
        }
        return above.directory(name);
    }
}
