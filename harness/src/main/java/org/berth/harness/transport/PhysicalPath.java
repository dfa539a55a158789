package org.berth.harness.transport;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.LinkedList;
import java.util.Optional;

/** Host paths as the file system walks them: each link followed, {@code ..} taken after it, the missing end kept. */
final class PhysicalPath {
    /** Source: path_resolution(7), the most links that Linux follows in one path. */
    private static final int MOST_LINKS = 40;

    private PhysicalPath() {}

    /** @return empty when links lead in a circle, or one cannot be read */
    static Optional<Path> resolve(Path path) {
        Deque<Path> rest = new ArrayDeque<>();
        path.toAbsolutePath().forEach(rest::addLast);
        Path at = path.toAbsolutePath().getRoot();
        int links = 0;
        while (!rest.isEmpty()) {
            Path name = rest.removeFirst();
            if (name.toString().equals("..")) {
                at = at.getParent() == null ? at : at.getParent();
                continue;
            }
            Path next = at.resolve(name).normalize();
            if (!Files.isSymbolicLink(next)) {
                at = next;
                continue;
            }
            if (++links > MOST_LINKS) {
                return Optional.empty();
            }
            Optional<Path> target = target(next);
            if (target.isEmpty()) {
                return Optional.empty();
            }
            if (target.get().isAbsolute()) {
                at = at.getRoot();
            }
            pushFront(rest, target.get());
        }
        return Optional.of(at);
    }

    private static Optional<Path> target(Path link) {
        try {
            return Optional.of(Files.readSymbolicLink(link));
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    private static void pushFront(Deque<Path> rest, Path target) {
        LinkedList<Path> names = new LinkedList<>();
        target.forEach(names::add);
        for (Iterator<Path> last = names.descendingIterator(); last.hasNext(); ) {
            rest.addFirst(last.next());
        }
    }
}
