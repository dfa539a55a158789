package org.berth.harness.workspace;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import org.berth.harness.ignore.TreeListing;
import org.berth.harness.tree.Directory;
import org.berth.harness.tree.Entry;

/** A copy of listed files into a base and a child's directory, by several threads. */
final class TreeCopy {
    /** Files of a part: enough to open its directory for, few enough that all threads end together. */
    private static final int PART_FILES = 256;

    private final Directory source;
    private final Directory base;
    private final Directory child;
    private final Pack pack;
    private final Progress progress;
    private final Map<String, List<Manifest.File>> made = new HashMap<>();
    private final LongAdder cloned = new LongAdder();
    private final LongAdder copiedFiles = new LongAdder();
    private final LongAdder copiedBytes = new LongAdder();
    private volatile boolean clones = true;
    private long total;
    private long files;

    /** Some files of one directory. */
    record Part(String path, List<Entry> files) {}

    TreeCopy(Directory source, Directory base, Directory child, Pack pack, Progress progress) {
        this.source = source;
        this.base = base;
        this.child = child;
        this.pack = pack;
        this.progress = progress;
    }

    Directory source() {
        return source;
    }

    Directory base() {
        return base;
    }

    Directory child() {
        return child;
    }

    Pack pack() {
        return pack;
    }

    /** Copies all, each directory's files in parts. */
    void run(List<TreeListing.Folder> folders, Lanes lanes) throws IOException {
        List<Part> parts = new ArrayList<>();
        for (TreeListing.Folder folder : folders) {
            List<Entry> entries = folder.files();
            total += entries.size();
            for (int at = 0; at < entries.size(); at += PART_FILES) {
                parts.add(new Part(folder.path(), entries.subList(at, Math.min(entries.size(), at + PART_FILES))));
            }
        }
        lanes.each(parts, () -> new CopyLane(this));
    }

    synchronized void done(Part part, List<Manifest.File> copied) {
        made.computeIfAbsent(part.path(), path -> new ArrayList<>()).addAll(copied);
        files += copied.size();
        progress.at(files, total, copiedBytes.sum());
    }

    /** Whether the file system has not refused to share extents yet. */
    boolean clones() {
        return clones;
    }

    void clonesNot() {
        clones = false;
    }

    void cloned() {
        cloned.increment();
    }

    void copied(long bytes) {
        copiedFiles.increment();
        copiedBytes.add(bytes);
    }

    synchronized List<Manifest.Folder> made() {
        return made.entrySet().stream()
                .sorted(Map.Entry.comparingByKey())
                .map(folder -> new Manifest.Folder(folder.getKey(), folder.getValue()))
                .toList();
    }

    synchronized Copied counts() {
        return new Copied(files, cloned.sum(), copiedFiles.sum(), copiedBytes.sum());
    }
}
