package org.berth.harness.files;

import jakarta.json.Json;
import jakarta.json.JsonObject;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.LongSupplier;
import org.berth.harness.ignore.TreeListing;
import org.berth.harness.tree.Directory;
import org.berth.harness.tree.Entry;
import org.berth.harness.tree.Status;

/** {@code fs.glob}: files whose paths match, the newest first. */
record GlobRequest(Roots roots, TreeListing listing, FileLimits limits, LongSupplier clock) {
    private record Found(String path, long modifiedNanos) {}

    JsonObject handle(String cwd, Fields fields) throws FsException, IOException {
        String path = fields.text("path", ".");
        Glob glob = Glob.of(fields.text("pattern"));
        int most = fields.count("limit", limits.results(), limits.results());
        Roots.Located located = roots.locate(cwd, path);
        Deadline deadline = Deadline.in(limits.searchTime(), clock);
        List<Found> found = new ArrayList<>();
        boolean stopped = false;
        try (Directory at = located.itself()) {
            listing.byGit(located.absolute(), at, folder -> {
                collect(at, folder, glob, deadline, found);
                return !deadline.isPassed();
            });
        } catch (Deadline.Passed e) {
            stopped = true;
        }
        found.sort(Comparator.comparingLong(Found::modifiedNanos).reversed().thenComparing(Found::path));
        return Json.createObjectBuilder()
                .add("absolute", located.absolute().toString())
                .add(
                        "paths",
                        Json.createArrayBuilder(
                                found.stream().limit(most).map(Found::path).toList()))
                .add("truncated", stopped || found.size() > most || deadline.isPassed())
                .build();
    }

    private static void collect(
            Directory top, TreeListing.Folder folder, Glob glob, Deadline deadline, List<Found> found)
            throws IOException {
        Directory at = null;
        try {
            for (Entry entry : folder.files()) {
                String path = folder.path().isEmpty() ? entry.name() : folder.path() + "/" + entry.name();
                if (!glob.matches(path, deadline)) {
                    continue;
                }
                at = at == null ? top.descend(folder.path()) : at;
                Status status = at.status(entry.name());
                if (status != null) {
                    found.add(new Found(path, status.modifiedNanos()));
                }
            }
        } finally {
            if (at != null) {
                at.close();
            }
        }
    }
}
