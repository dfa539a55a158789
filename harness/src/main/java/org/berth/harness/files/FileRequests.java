package org.berth.harness.files;

import jakarta.json.JsonObject;
import java.io.IOException;
import java.util.function.LongSupplier;
import org.berth.harness.ignore.TreeListing;

/**
 * Handles the file requests of a kernel. Requests and replies are those of the package's description. Safe for any thread.
 *
 * @param roots the shared directories
 * @param clock counts nanoseconds, for the bound of a search
 */
public record FileRequests(Roots roots, TreeListing listing, FileLimits limits, LongSupplier clock) {
    /**
     * Answers one request.
     *
     * @param type {@code fs.read}, {@code fs.write}, {@code fs.edit}, {@code fs.grep} or {@code fs.glob}
     * @param request its fields, with {@code cwd}, an absolute path of the host
     * @throws FsException when it is refused; nothing changed, unless a later section of an edit could not be written
     * @throws IOException when the disk fails
     */
    public JsonObject handle(String type, JsonObject request) throws FsException, IOException {
        Fields fields = new Fields(request);
        String cwd = fields.text("cwd");
        try {
            return switch (type) {
                case "fs.read" -> new ReadRequest(roots, limits).handle(cwd, fields);
                case "fs.write" -> new WriteRequest(roots, limits).handle(cwd, fields);
                case "fs.edit" -> new EditRequest(roots, limits).handle(cwd, fields);
                case "fs.grep" -> new GrepRequest(roots, listing, limits, clock).handle(cwd, fields);
                case "fs.glob" -> new GlobRequest(roots, listing, limits, clock).handle(cwd, fields);
                default -> throw FsException.invalid(type + " is not a file request");
            };
        } catch (IOException e) {
            throw Roots.refusal(fields.text("path", "the path"), e);
        }
    }
}
