package org.berth.harness.ignore;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Assume;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.berth.files.Trees;

/** The listing against git itself, over generated rules and files. */
class GitRulesTest {
    private static final List<String> WORDS = List.of(
            "a", "b", "ab", "foo", "*", "**", "*.o", "a*", "?", "[ab]", "[!a]", "foo.o", "**/a", "a/**", "a/**/b",
            "\\a", "a/b", "/a", "/a/b", "*/b", "b/*", "[a-c]o", "f[a-z]o", "foo\\*");
    private static final List<String> PATHS = List.of(
            "a", "b", "ab", "foo", "x.o", "foo.o", "a/a", "a/b", "a/foo", "b/a/b", "foo/a", "foo/x.o", "a/a/b", "b/ab",
            "fbo", "b/b/b/a", "foo*", "ao", "a/ao", "a/b/c/b");

    @Provide
    Arbitrary<String> rules() {
        Arbitrary<String> line = net.jqwik.api.Combinators.combine(
                        Arbitraries.frequencyOf(
                                net.jqwik.api.Tuple.of(4, Arbitraries.just("")),
                                net.jqwik.api.Tuple.of(2, Arbitraries.just("!"))),
                        Arbitraries.of(WORDS),
                        Arbitraries.of("", "", "", "/", " ", "\r"))
                .as((negation, word, end) -> negation + word + end);
        return line.list().ofMinSize(0).ofMaxSize(5).map(lines -> String.join("\n", lines) + "\n");
    }

    @Provide
    Arbitrary<List<String>> paths() {
        return Arbitraries.of(PATHS).list().uniqueElements().ofMinSize(3).ofMaxSize(12);
    }

    @Property(tries = 60)
    void theListingIsThatOfGit(
            @ForAll("rules") String outer, @ForAll("rules") String inner, @ForAll("paths") List<String> paths)
            throws IOException {
        Assume.that(GitCommand.isThere());
        Path scratch = Files.createTempDirectory("berth-rules").toRealPath();
        try {
            Path top = Files.createDirectory(scratch.resolve("top"));
            GitCommand.run(scratch, top, "init", "-q");
            for (String path : paths) {
                Path file = top.resolve(path);
                if (isFree(top, path)) {
                    Files.createDirectories(file.getParent());
                    Files.writeString(file, "");
                }
            }
            Files.writeString(top.resolve(".gitignore"), outer);
            if (Files.isDirectory(top.resolve("a"))) {
                Files.writeString(top.resolve("a/.gitignore"), inner);
            }
            SortedSet<String> expected = new TreeSet<>(
                    List.of(GitCommand.run(scratch, top, "ls-files", "-z", "--cached", "--others", "--exclude-standard")
                            .split("\0")));
            expected.remove("");
            TreeListing listing = new TreeListing(
                    new GitSurroundings(scratch, scratch.resolve("none"), scratch.resolve("none/config")));
            assertThat(TreeListingTest.byGit(listing, top))
                    .as("rules %s over %s, files %s", inner, outer, paths)
                    .isEqualTo(expected);
        } finally {
            Trees.remove(scratch);
        }
    }

    private static boolean isFree(Path top, String path) {
        for (Path at = top.resolve(path).getParent(); !at.equals(top); at = at.getParent()) {
            if (Files.isRegularFile(at, LinkOption.NOFOLLOW_LINKS)) {
                return false;
            }
        }
        return !Files.exists(top.resolve(path));
    }
}
