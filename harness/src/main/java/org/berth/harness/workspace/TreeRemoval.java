package org.berth.harness.workspace;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.berth.harness.tree.Directory;
import org.berth.harness.tree.Entry;
import org.berth.harness.tree.Status;

/** Removes our own trees with all that a child left in them, by several threads. */
final class TreeRemoval {
    private static final int OWNER_ALL = 0700;

    private TreeRemoval() {}

    /** One name in a tree's top directory. */
    private record Item(Path tree, String name) {}

    /** Removes each; a missing one is removed already, a link in place of one is removed and not followed. */
    static void of(List<Path> trees, Lanes lanes) throws IOException {
        List<Item> items = new ArrayList<>();
        for (Path tree : trees) {
            try (Directory above = Directory.open(tree.getParent())) {
                Status status = above.status(tree.getFileName().toString());
                if (status != null && status.isDirectory()) {
                    try (Directory at = open(above, tree.getFileName().toString())) {
                        at.list().forEach(entry -> items.add(new Item(tree, entry.name())));
                    }
                }
            }
        }
        lanes.each(items, () -> new Lanes.LaneWork<>() {
            @Override
            public void on(Item item) throws IOException {
                try (Directory above = Directory.open(item.tree().getParent());
                        Directory at = above.directory(item.tree().getFileName().toString())) {
                    remove(at, item.name());
                }
            }

            @Override
            public void close() {}
        });
        for (Path tree : trees) {
            try (Directory above = Directory.open(tree.getParent())) {
                remove(above, tree.getFileName().toString());
            }
        }
    }

    private static void remove(Directory above, String name) throws IOException {
        Status status = above.status(name);
        if (status == null) {
            return;
        }
        if (!status.isDirectory()) {
            above.remove(name);
            return;
        }
        try (Directory at = open(above, name)) {
            for (Entry entry : at.list()) {
                if (entry.kind() == Entry.Kind.DIRECTORY) {
                    remove(at, entry.name());
                } else {
                    at.remove(entry.name());
                }
            }
        }
        above.removeEmpty(name);
    }

    /** A child may have left directories without the right to enter, change or move them; they are ours. */
    static void admit(Directory above, String name) throws IOException {
        Status status = above.status(name);
        if (status != null && status.isDirectory() && (status.permissions() & OWNER_ALL) != OWNER_ALL) {
            above.mode(name, OWNER_ALL);
        }
    }

    private static Directory open(Directory above, String name) throws IOException {
        admit(above, name);
        return above.directory(name);
    }
}
