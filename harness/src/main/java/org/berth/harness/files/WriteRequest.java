package org.berth.harness.files;

import jakarta.json.Json;
import jakarta.json.JsonObject;
import java.io.IOException;
import org.berth.harness.tree.Directory;
import org.berth.harness.tree.Status;

/** {@code fs.write}: a whole file, replaced at once; missing directories are made. */
record WriteRequest(Roots roots, FileLimits limits) {
    JsonObject handle(String cwd, Fields fields) throws FsException, IOException {
        String path = fields.text("path");
        byte[] bytes = new TextFiles(limits.fileBytes()).encode(fields.text("text"), path);
        Roots.Located located = roots.locate(cwd, path);
        String name = ReadRequest.named(located, path);
        try (Directory above = located.aboveMaking(roots.umask())) {
            Status before = TextFiles.regular(above, name, path);
            TextFiles.replace(above, name, bytes, before, roots.umask());
            return Json.createObjectBuilder()
                    .add("path", path)
                    .add("absolute", located.absolute().toString())
                    .add("bytes", bytes.length)
                    .add("created", before == null)
                    .build();
        }
    }
}
