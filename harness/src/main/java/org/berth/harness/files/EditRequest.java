package org.berth.harness.files;

import jakarta.json.Json;
import jakarta.json.JsonArrayBuilder;
import jakarta.json.JsonObject;
import jakarta.json.JsonObjectBuilder;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.berth.harness.tree.Directory;
import org.berth.harness.tree.Status;

/** {@code fs.edit}: sections of replacements and moves. Every section is checked before the first file changes. */
record EditRequest(Roots roots, FileLimits limits) {
    /**
     * A section that may be done.
     *
     * @param destination null for a file that stays
     */
    private record Change(
            String path,
            Roots.Located from,
            byte[] bytes,
            int replaced,
            Status like,
            String destination,
            Roots.Located to) {}

    JsonObject handle(String cwd, Fields fields) throws FsException, IOException {
        List<Fields> sections = fields.has("sections") ? fields.list("sections") : List.of(fields);
        if (sections.isEmpty()) {
            throw FsException.invalid("sections must not be empty");
        }
        List<Change> changes = new ArrayList<>();
        Set<Path> named = new HashSet<>();
        for (Fields section : sections) {
            Change change = check(cwd, section);
            if (!named.add(change.from().absolute())
                    || change.to() != null && !named.add(change.to().absolute())) {
                throw FsException.invalid(change.path() + " is named by two sections, or is its own destination");
            }
            changes.add(change);
        }
        JsonArrayBuilder replies = Json.createArrayBuilder();
        for (Change change : changes) {
            apply(change);
            replies.add(reply(change));
        }
        return Json.createObjectBuilder().add("sections", replies).build();
    }

    private Change check(String cwd, Fields section) throws FsException, IOException {
        String path = section.text("path");
        Roots.Located from = roots.locate(cwd, path);
        TextFiles files = new TextFiles(limits.fileBytes());
        String name = ReadRequest.named(from, path);
        List<Fields> edits = section.list("edits");
        String destination = section.text("destination", null);
        if (edits.isEmpty() && destination == null) {
            throw FsException.invalid("the section of " + path + " has neither edits nor a destination");
        }
        Roots.Located to = destination == null ? null : freeDestination(cwd, destination);
        try (Directory above = from.above()) {
            byte[] before = files.bytes(above, name, path);
            Status like = above.status(name);
            if (edits.isEmpty()) {
                return new Change(path, from, before, 0, like, destination, to);
            }
            String text = TextFiles.decode(before, path);
            int replaced = 0;
            for (Fields edit : edits) {
                String old = edit.text("oldText");
                int times = times(text, old, path, edit.flag("all"));
                text = text.replace(old, edit.text("newText"));
                replaced += times;
            }
            return new Change(path, from, files.encode(text, path), replaced, like, destination, to);
        } catch (IOException e) {
            throw Roots.refusal(path, e);
        }
    }

    private Roots.Located freeDestination(String cwd, String destination) throws FsException, IOException {
        Roots.Located to = roots.locate(cwd, destination);
        ReadRequest.named(to, destination);
        if (java.nio.file.Files.exists(to.absolute(), java.nio.file.LinkOption.NOFOLLOW_LINKS)) {
            throw FsException.invalid("the destination " + destination + " exists");
        }
        return to;
    }

    private static int times(String text, String old, String path, boolean all) throws FsException {
        if (old.isEmpty()) {
            throw FsException.invalid("oldText must not be empty");
        }
        int first = text.indexOf(old);
        if (first < 0) {
            throw new FsException(FsException.Reason.NO_MATCH, "the old text is not in " + path);
        }
        if (!all) {
            if (text.indexOf(old, first + 1) >= 0) {
                throw new FsException(FsException.Reason.NOT_UNIQUE, "the old text is in " + path + " more than once");
            }
            return 1;
        }
        int times = 0;
        for (int at = first; at >= 0; at = text.indexOf(old, at + old.length())) {
            times++;
        }
        return times;
    }

    private void apply(Change change) throws FsException, IOException {
        Roots.Located target = change.to() == null ? change.from() : change.to();
        String shown = change.to() == null ? change.path() : change.destination();
        try (Directory into = change.to() == null ? target.above() : target.aboveMaking(roots.umask())) {
            TextFiles.regular(into, target.name(), shown);
            TextFiles.replace(into, target.name(), change.bytes(), change.like(), roots.umask());
        } catch (IOException e) {
            throw Roots.refusal(shown, e);
        }
        if (change.to() != null) {
            try (Directory above = change.from().above()) {
                above.remove(change.from().name());
            }
        }
    }

    private static JsonObject reply(Change change) {
        JsonObjectBuilder reply = Json.createObjectBuilder()
                .add("path", change.path())
                .add("absolute", change.from().absolute().toString())
                .add("replaced", change.replaced())
                .add("bytes", change.bytes().length);
        if (change.to() != null) {
            reply.add("destination", change.to().absolute().toString());
        }
        return reply.build();
    }
}
