package org.berth.harness.ignore;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.SortedSet;
import java.util.TreeSet;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TreeListingTest {
    @TempDir
    Path scratch;

    private Path home;
    private Path top;
    private TreeListing listing;

    @BeforeEach
    void makeDirectories() throws IOException {
        home = Files.createDirectory(scratch.resolve("home"));
        top = Files.createDirectory(scratch.resolve("top"));
        listing = new TreeListing(
                new GitSurroundings(home, home.resolve(".config/git"), scratch.resolve("no-system-config")));
    }

    private Path file(String path, String text) throws IOException {
        Path file = top.resolve(path);
        Files.createDirectories(file.getParent());
        return Files.writeString(file, text);
    }

    private void files(String... paths) throws IOException {
        for (String path : paths) {
            file(path, path);
        }
    }

    static SortedSet<String> byRuleFiles(TreeListing listing, Path directory) throws IOException {
        SortedSet<String> paths = new TreeSet<>();
        listing.byRuleFiles(directory, folder -> collect(paths, folder));
        return paths;
    }

    static SortedSet<String> byGit(TreeListing listing, Path directory) throws IOException {
        SortedSet<String> paths = new TreeSet<>();
        listing.byGit(directory, folder -> collect(paths, folder));
        return paths;
    }

    private static boolean collect(SortedSet<String> paths, TreeListing.Folder folder) {
        folder.files()
                .forEach(entry ->
                        paths.add(folder.path().isEmpty() ? entry.name() : folder.path() + "/" + entry.name()));
        return true;
    }

    private void git(String... arguments) {
        assumeTrue(GitCommand.isThere());
        GitCommand.run(home, top, arguments);
    }

    private SortedSet<String> lsFiles(Path directory) {
        return new TreeSet<>(Arrays.stream(
                        GitCommand.run(home, directory, "ls-files", "-z", "--cached", "--others", "--exclude-standard")
                                .split("\0"))
                .filter(path -> !path.isEmpty() && !path.endsWith("/"))
                .filter(path -> Files.exists(directory.resolve(path), java.nio.file.LinkOption.NOFOLLOW_LINKS)
                        && !Files.isDirectory(directory.resolve(path), java.nio.file.LinkOption.NOFOLLOW_LINKS))
                .toList());
    }

    @Test
    void aFileOfAnIgnoredDirectoryCannotBeIncludedAgain() throws IOException {
        file(".gitignore", ".v/\n!.v/keep\n");
        files(".v/keep", ".v/other");
        assertThat(byRuleFiles(listing, top)).containsExactly(".gitignore");
    }

    @Test
    void aFileOfADirectoryWhoseContentsAreIgnoredCan() throws IOException {
        file(".gitignore", ".v/*\n!.v/keep\n");
        files(".v/keep", ".v/other");
        assertThat(byRuleFiles(listing, top)).containsExactly(".gitignore", ".v/keep");
    }

    @Test
    void leadingSpacesCountAndTrailingOnesDoNotUnlessEscaped() throws IOException {
        file(".gitignore", " lead\ntrail  \nkept\\ \n");
        files(" lead", "lead", "trail", "trail  ", "kept ", "kept");
        assertThat(byRuleFiles(listing, top)).containsExactly(".gitignore", "kept", "lead", "trail  ");
    }

    @Test
    void anEscapedHashIsNoComment() throws IOException {
        file(".gitignore", "\\#x\n#y\n\\!z\n");
        files("#x", "#y", "!z");
        assertThat(byRuleFiles(listing, top)).containsExactly("#y", ".gitignore");
    }

    @Test
    void aRuleForDirectoriesLeavesAFileOfThatName() throws IOException {
        file(".gitignore", "foo/\n");
        files("foo", "sub/foo/inner");
        assertThat(byRuleFiles(listing, top)).containsExactly(".gitignore", "foo");
    }

    @Test
    void nestedRulesWinOverOuterOnes() throws IOException {
        file(".gitignore", "*.log\n/build\n");
        file("a/.gitignore", "!keep.log\nown\n");
        files("x.log", "a/keep.log", "a/b/keep.log", "a/own", "build/x", "a/build/x");
        assertThat(byRuleFiles(listing, top))
                .containsExactly(".gitignore", "a/.gitignore", "a/b/keep.log", "a/build/x", "a/keep.log");
    }

    @Test
    void aTrackedFileIsListedThoughItIsIgnored() throws IOException {
        git("init", "-q");
        files("t/kept", "t/left", "gone");
        git("add", "-f", "t/kept", "gone");
        file(".gitignore", "t/\n");
        Files.delete(top.resolve("gone"));
        assertThat(byGit(listing, top)).containsExactly(".gitignore", "t/kept").isEqualTo(lsFiles(top));
    }

    @Test
    void excludesOfTheRepositoryAndOfTheUserHold() throws IOException {
        git("init", "-q");
        Files.createDirectories(home.resolve(".config/git"));
        Files.writeString(home.resolve(".config/git/ignore"), "by-user\n");
        Files.writeString(top.resolve(".git/info/exclude"), "by-repository\n!by-both\n");
        files("by-user", "by-repository", "by-nobody");
        assertThat(byGit(listing, top)).containsExactly("by-nobody").isEqualTo(lsFiles(top));
        assertThat(byRuleFiles(listing, top)).containsExactly("by-nobody", "by-repository", "by-user");
    }

    @Test
    void theUsersExcludesMayLieElsewhereByAnIncludedSetting() throws IOException {
        git("init", "-q");
        Files.writeString(home.resolve(".gitconfig"), "[include]\n\tpath = more\n");
        Files.writeString(home.resolve("more"), "[core]\n\texcludesFile = ~/mine\n");
        Files.writeString(home.resolve("mine"), "by-user\n");
        files("by-user", "by-nobody");
        assertThat(byGit(listing, top)).containsExactly("by-nobody").isEqualTo(lsFiles(top));
    }

    @Test
    void aDirectoryWithinAWorkTreeHasTheRulesAboveIt() throws IOException {
        git("init", "-q");
        file(".gitignore", "*.o\n/a/b/no\n");
        files("a/b/x.o", "a/b/no", "a/b/yes", "a/other");
        assertThat(byGit(listing, top.resolve("a/b"))).containsExactly("yes").isEqualTo(lsFiles(top.resolve("a/b")));
    }

    @Test
    void anotherRepositoryWithinIsLeftOut() throws IOException {
        git("init", "-q");
        files("own", "sub/x");
        GitCommand.run(home, top.resolve("sub"), "init", "-q");
        assertThat(byGit(listing, top)).containsExactly("own").isEqualTo(lsFiles(top));
    }

    @Test
    void aLinkedWorkTreeHasItsOwnIndexAndTheCommonExcludes() throws IOException {
        git("init", "-q");
        files("one", "two");
        git("add", "-f", "one");
        git("-c", "user.name=x", "-c", "user.email=x@localhost", "commit", "-q", "-m", "one");
        Path linked = scratch.resolve("linked");
        git("worktree", "add", "-q", "--detach", linked.toString());
        Files.writeString(top.resolve(".git/info/exclude"), "one\nthree\n");
        Files.writeString(linked.resolve("three"), "");
        Files.writeString(linked.resolve("four"), "");
        assertThat(byGit(listing, linked)).containsExactly("four", "one").isEqualTo(lsFiles(linked));
    }

    @Test
    void anIndexWithSharedPrefixesIsReadTheSame() throws IOException {
        git("init", "-q");
        git("config", "index.version", "4");
        files("a/long/path/one", "a/long/path/two", "a/long/three", "b");
        git("add", ".");
        file(".gitignore", "*\n");
        assertThat(Files.readAllBytes(top.resolve(".git/index"))[7]).isEqualTo((byte) 4);
        assertThat(byGit(listing, top)).isEqualTo(lsFiles(top)).hasSize(4);
    }

    @Test
    void anIndexThatCannotBeReadIsSaid() throws IOException {
        git("init", "-q");
        files("a");
        git("add", ".");
        byte[] index = Files.readAllBytes(top.resolve(".git/index"));
        Files.write(top.resolve(".git/index"), Arrays.copyOf(index, 50));
        assertThatThrownBy(() -> byGit(listing, top))
                .isInstanceOf(IOException.class)
                .hasMessageContaining(top.resolve(".git/index").toString());
    }

    @Test
    void pipesAreNotListedAndLinksAreNotFollowed() throws Exception {
        files("dir/x");
        Files.createSymbolicLink(top.resolve("link"), Path.of("dir"));
        Files.createSymbolicLink(top.resolve("dangling"), Path.of("/nowhere"));
        assertThat(new ProcessBuilder("mkfifo", top.resolve("pipe").toString())
                        .start()
                        .waitFor())
                .isZero();
        assertThat(byRuleFiles(listing, top)).containsExactly("dangling", "dir/x", "link");
    }

    @Test
    void aRuleFileThatIsALinkDoesNotCount() throws IOException {
        Files.writeString(scratch.resolve("rules"), "x\n");
        Files.createSymbolicLink(top.resolve(".gitignore"), scratch.resolve("rules"));
        files("x");
        assertThat(byRuleFiles(listing, top)).containsExactly(".gitignore", "x");
    }

    @Test
    void listingWritesNothingBesideTheIndexOrInTheHome() throws IOException {
        git("init", "-q");
        files("a");
        git("add", ".");
        SortedSet<String> before = everything();
        byGit(listing, top);
        assertThat(everything()).isEqualTo(before);
    }

    private SortedSet<String> everything() throws IOException {
        try (var paths = Files.walk(scratch)) {
            return new TreeSet<>(paths.map(Path::toString).toList());
        }
    }
}
