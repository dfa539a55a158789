package org.berth.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardWatchEventKinds;
import java.nio.file.WatchKey;
import java.nio.file.WatchService;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.berth.placement.CanonicalJson;

/**
 * Watches a home that nobody may touch: whatever is made, changed or removed in its tree while it watches, even what is
 * gone again at the end, and every name, content, mode and time before and after.
 */
final class HomeWatch implements AutoCloseable {
    /** What the kernel tells when it lost events. */
    private static final String OVERFLOW = "OVERFLOW";

    /** Its own, so that events before it have come. */
    private static final String LAST = ".watch-ends";

    private final Path home;
    private final WatchService watch;
    private final Map<WatchKey, Path> watched = new HashMap<>();
    private final Map<String, String> before;

    /** Watches from now on. @param home a directory */
    HomeWatch(Path home) {
        this.home = home;
        try {
            watch = FileSystems.getDefault().newWatchService();
            try (Stream<Path> tree = Files.walk(home)) {
                for (Path directory : (Iterable<Path>) tree.filter(Files::isDirectory)::iterator) {
                    watched.put(
                            directory.register(
                                    watch,
                                    StandardWatchEventKinds.ENTRY_CREATE,
                                    StandardWatchEventKinds.ENTRY_MODIFY,
                                    StandardWatchEventKinds.ENTRY_DELETE),
                            directory);
                }
            }
            before = snapshot();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Fails when anything happened; watches no more. */
    void expectUntouched() {
        List<String> happened = new ArrayList<>(differences(snapshot()));
        happened.addAll(events());
        assertThat(happened).as("what happened in %s", home).isEmpty();
    }

    private List<String> differences(Map<String, String> after) {
        Set<String> names = new TreeSet<>(before.keySet());
        names.addAll(after.keySet());
        return names.stream()
                .filter(name -> !Objects.equals(before.get(name), after.get(name)))
                .map(name -> name + ": " + before.get(name) + " became " + after.get(name))
                .toList();
    }

    /** What happened until now: kind and path. */
    private List<String> events() {
        List<String> seen = new ArrayList<>();
        try {
            Files.createFile(home.resolve(LAST));
            boolean last = false;
            // Behind the last event lie only those of keys that were told of before.
            for (WatchKey key = watch.take(); key != null; key = last ? watch.poll() : watch.take()) {
                for (var event : key.pollEvents()) {
                    if (event.context() == null) {
                        seen.add(OVERFLOW);
                        last = true;
                    } else if (event.context().toString().equals(LAST)) {
                        last = true;
                    } else {
                        seen.add(event.kind().name() + " " + watched.get(key).resolve((Path) event.context()));
                    }
                }
                key.reset();
            }
            Files.delete(home.resolve(LAST));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return seen;
    }

    private Map<String, String> snapshot() {
        Map<String, String> all = new TreeMap<>();
        try (Stream<Path> tree = Files.walk(home)) {
            for (Path path : (Iterable<Path>) tree::iterator) {
                all.put(home.relativize(path).toString(), facts(path));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return all;
    }

    private static String facts(Path path) throws IOException {
        try {
            Map<String, Object> facts =
                    Files.readAttributes(path, "unix:mode,size,lastModifiedTime,ino", LinkOption.NOFOLLOW_LINKS);
            String content = Files.isRegularFile(path, LinkOption.NOFOLLOW_LINKS)
                    ? CanonicalJson.sha256(Files.readAllBytes(path))
                    : "";
            return new TreeMap<>(facts) + " " + content;
        } catch (NoSuchFileException e) {
            return "gone";
        }
    }

    @Override
    public void close() {
        try {
            watch.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
