package org.berth.harness.workspace;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A directory's files as a map. A version is its kind and its content: {@code f:text} a file, {@code x:text} one that its
 * owner may execute, {@code l:target} a link.
 */
final class FileTree {
    private FileTree() {}

    static SortedMap<String, String> read(Path top) throws IOException {
        SortedMap<String, String> files = new TreeMap<>();
        read(top, "", files);
        return files;
    }

    private static void read(Path at, String prefix, Map<String, String> files) throws IOException {
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(at)) {
            for (Path entry : entries) {
                String path = prefix + entry.getFileName();
                if (Files.isDirectory(entry, LinkOption.NOFOLLOW_LINKS)) {
                    read(entry, path + "/", files);
                } else {
                    files.put(path, version(entry));
                }
            }
        }
    }

    static String version(Path file) throws IOException {
        if (Files.isSymbolicLink(file)) {
            return "l:" + Files.readSymbolicLink(file);
        }
        return (Files.getPosixFilePermissions(file).contains(java.nio.file.attribute.PosixFilePermission.OWNER_EXECUTE)
                        ? "x:"
                        : "f:")
                + Files.readString(file);
    }

    /** Makes the files of {@code top} those of {@code files}; one that is the same already is left, others written in place. */
    static void write(Path top, Map<String, String> files) throws IOException {
        SortedMap<String, String> before = read(top);
        for (String path : before.keySet()) {
            if (!files.containsKey(path)) {
                Files.delete(top.resolve(path));
                prune(top, top.resolve(path).getParent());
            }
        }
        for (Map.Entry<String, String> file : files.entrySet()) {
            if (!file.getValue().equals(before.get(file.getKey()))) {
                put(top.resolve(file.getKey()), file.getValue());
            }
        }
    }

    private static void prune(Path top, Path directory) throws IOException {
        for (Path at = directory; !at.equals(top); at = at.getParent()) {
            try (DirectoryStream<Path> entries = Files.newDirectoryStream(at)) {
                if (entries.iterator().hasNext()) {
                    return;
                }
            }
            Files.delete(at);
        }
    }

    static void put(Path file, String version) throws IOException {
        String content = version.substring(2);
        boolean link = version.startsWith("l:");
        if (link || Files.isSymbolicLink(file)) {
            Files.deleteIfExists(file);
        }
        Files.createDirectories(file.getParent());
        if (link) {
            Files.createSymbolicLink(file, Path.of(content));
        } else {
            Files.writeString(file, content);
            Files.setPosixFilePermissions(
                    file,
                    java.nio.file.attribute.PosixFilePermissions.fromString(
                            version.startsWith("x:") ? "rwxr-xr-x" : "rw-r--r--"));
        }
    }
}
