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

    /**
     * Makes or replaces the file, with temporary name, fsync, rename and directory fsync.
     *
     * @param replaces whether a regular file may be there already
     * @throws BerthException CONFLICT when a parent or the file is not Berth's
     */
    void write(String path, byte[] content, boolean replaces) throws IOException, ConfigurationUncertainException {
        String name = NoFollowFiles.name(path);
        try (Directory root = Directory.open(home);
                Directory parent = parents(root, path)) {
            Status there = parent.status(name);
            if (there != null && !(replaces && there.isRegular())) {
                throw BerthException.conflict("the file " + path
                        + " of the private home is there already, and it is not" + " Berth's to replace");
            }
            NoFollowFiles.replace(parent, name, content);
            sync(parent, path);
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

    private Directory parents(Directory root, String path) throws IOException {
        Directory at = root.directory(".");
        int slash = path.indexOf('/');
        int from = 0;
        while (slash >= 0) {
            try (Directory above = at) {
                at = child(above, path.substring(from, slash), path.substring(0, slash));
            }
            from = slash + 1;
            slash = path.indexOf('/', from);
        }
        return at;
    }

    private Directory child(Directory above, String name, String path) throws IOException {
        Status there = above.status(name);
        if (there == null) {
            journal.makesDirectory(path);
            above.make(name, PRIVATE_DIRECTORY);
            above.sync();
            watch.passed(SeedStep.DIRECTORY_MADE);
        } else if (!there.isDirectory() || !journal.madeDirectory(path)) {
            throw BerthException.conflict("the directory " + path
                    + " of the private home is there already, and Berth did not make it; nothing is written below it");
        }
        return above.directory(name);
    }
}
