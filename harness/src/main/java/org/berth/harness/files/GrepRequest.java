package org.berth.harness.files;

import jakarta.json.JsonObject;
import java.io.IOException;
import java.util.List;
import java.util.function.LongSupplier;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import org.berth.harness.ignore.TreeListing;
import org.berth.harness.tree.Directory;
import org.berth.harness.tree.Entry;
import org.berth.harness.tree.Status;

/** {@code fs.grep}: lines that match, in the tracked and not ignored files of a directory, or in one file. */
record GrepRequest(Roots roots, TreeListing listing, FileLimits limits, LongSupplier clock) {
    JsonObject handle(String cwd, Fields fields) throws FsException, IOException {
        String path = fields.text("path", ".");
        String filter = fields.text("glob", null);
        Glob glob = filter == null ? null : Glob.of(filter);
        Deadline deadline = Deadline.in(limits.searchTime(), clock);
        int most = fields.count("limit", limits.results(), limits.results());
        GrepSearch search = new GrepSearch(pattern(fields), limits, most, deadline);
        Roots.Located located = roots.locate(cwd, path);
        try {
            if (isFile(located, path)) {
                try (Directory above = located.above()) {
                    search.folder(
                            above, new TreeListing.Folder("", List.of(new Entry(located.name(), Entry.Kind.FILE))));
                }
            } else {
                try (Directory at = located.itself()) {
                    listing.byGit(
                            located.absolute(),
                            at,
                            folder -> search.folder(at, filtered(folder, glob, filter, deadline)));
                }
            }
        } catch (Deadline.Passed e) {
            search.stop("time");
        } catch (StackOverflowError e) {
            throw FsException.invalid("the pattern needs too much depth on one of the lines");
        }
        return search.reply(located.absolute().toString());
    }

    private static boolean isFile(Roots.Located located, String path) throws FsException, IOException {
        if (located.relative().isEmpty()) {
            return false;
        }
        try (Directory above = located.above()) {
            Status status = above.status(located.name());
            if (status == null) {
                throw new FsException(FsException.Reason.MISSING, path + " does not exist");
            }
            if (!status.isDirectory()) {
                TextFiles.regular(above, located.name(), path);
                return true;
            }
            return false;
        }
    }

    private static TreeListing.Folder filtered(TreeListing.Folder folder, Glob glob, String filter, Deadline deadline) {
        if (glob == null) {
            return folder;
        }
        String prefix = folder.path().isEmpty() ? "" : folder.path() + "/";
        return new TreeListing.Folder(
                folder.path(),
                folder.files().stream()
                        .filter(entry -> glob.filters(prefix + entry.name(), filter.indexOf('/') < 0, deadline))
                        .toList());
    }

    private static Pattern pattern(Fields fields) throws FsException {
        int flags = fields.flag("ignoreCase") ? Pattern.CASE_INSENSITIVE | Pattern.UNICODE_CASE : 0;
        if (fields.flag("literal")) {
            flags |= Pattern.LITERAL;
        }
        try {
            return Pattern.compile(fields.text("pattern"), flags);
        } catch (PatternSyntaxException e) {
            throw FsException.invalid("the pattern is not one: " + e.getDescription());
        }
    }
}
