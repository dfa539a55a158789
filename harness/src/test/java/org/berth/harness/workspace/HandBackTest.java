package org.berth.harness.workspace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.berth.harness.workspace.Family.files;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import org.berth.problem.BerthException;
import org.berth.problem.ProblemCode;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HandBackTest {
    @TempDir
    Path scratch;

    private Family family;

    @BeforeEach
    void makeFamily() throws IOException {
        family = Family.in(scratch);
    }

    private HandBack back(Map<String, String> base, Map<String, String> parents, Map<String, String> childs)
            throws IOException {
        return family.diverge(base, parents, childs).handBack();
    }

    private static List<String> paths(HandBack handBack) {
        return handBack.conflicts().stream().map(HandBack.Conflict::path).toList();
    }

    @Test
    void whatOnlyTheChildChangedIsTaken() throws IOException {
        SortedMap<String, String> base = files("edited=f:old", "removed=f:x", "kept=f:k", "d/e/removed=f:y");
        HandBack handBack = back(base, base, files("edited=f:new", "kept=f:k", "d/added=x:run", "link=l:kept"));

        assertThat(family.parentFiles()).isEqualTo(files("edited=f:new", "kept=f:k", "d/added=x:run", "link=l:kept"));
        assertThat(handBack.taken()).containsExactly("d/added", "edited", "link");
        assertThat(handBack.removed()).containsExactly("d/e/removed", "removed");
        assertThat(handBack.conflicts()).isEmpty();
        assertThat(handBack.unchanged()).isEqualTo(1);
        assertThat(family.parent.resolve("d/e")).doesNotExist();
    }

    @Test
    void whatBothEditedIsAConflictWithBothSidesKept() throws IOException {
        HandBack handBack = back(files("a=f:base"), files("a=f:mine"), files("a=f:yours"));

        assertThat(family.parentFiles()).isEqualTo(files("a=f:mine"));
        assertThat(handBack.conflicts())
                .containsExactly(new HandBack.Conflict(
                        "a", HandBack.Reason.BOTH_CHANGED, Optional.of(family.directory() + "/conflicts/a")));
        assertThat(family.conflictFiles()).isEqualTo(files("a=f:yours"));
    }

    @Test
    void aRemovalAgainstAnEditIsAConflictBothWays() throws IOException {
        HandBack handBack = back(files("a=f:base", "b=f:base"), files("a=f:edited"), files("b=f:edited"));

        assertThat(family.parentFiles()).isEqualTo(files("a=f:edited"));
        assertThat(paths(handBack)).containsExactly("a", "b");
        assertThat(handBack.conflicts().get(0).childVersion()).isEmpty();
        assertThat(family.conflictFiles()).isEqualTo(files("b=f:edited"));
    }

    @Test
    void aFileThatBecameADirectoryIsTaken() throws IOException {
        HandBack handBack = back(files("d=f:file"), files("d=f:file"), files("d/x=f:in", "d/e/y=f:deep"));
        assertThat(family.parentFiles()).isEqualTo(files("d/x=f:in", "d/e/y=f:deep"));
        assertThat(handBack.conflicts()).isEmpty();
    }

    @Test
    void aDirectoryThatBecameAFileIsTaken() throws IOException {
        SortedMap<String, String> base = files("d/x=f:1", "d/e/y=f:2");
        HandBack handBack = back(base, base, files("d=f:file"));
        assertThat(family.parentFiles()).isEqualTo(files("d=f:file"));
        assertThat(handBack.removed()).containsExactly("d/e/y", "d/x");
        assertThat(handBack.taken()).containsExactly("d");
    }

    @Test
    void aDirectoryThatHoldsTheParentsOwnIsAConflict() throws IOException {
        HandBack handBack = back(files("d/x=f:1"), files("d/x=f:1", "d/mine=f:mine"), files("d=f:file"));
        assertThat(family.parentFiles()).isEqualTo(files("d/mine=f:mine"));
        assertThat(handBack.conflicts())
                .containsExactly(new HandBack.Conflict(
                        "d", HandBack.Reason.NO_ROOM_FOR_A_FILE, Optional.of(family.directory() + "/conflicts/d")));
        assertThat(family.conflictFiles()).isEqualTo(files("d=f:file"));
    }

    @Test
    void aPathUnderAFileOfTheParentIsAConflict() throws IOException {
        HandBack handBack = back(files("k=f:k"), files("k=f:k", "d=f:mine"), files("k=f:k", "d/x=f:yours"));
        assertThat(family.parentFiles()).isEqualTo(files("k=f:k", "d=f:mine"));
        assertThat(handBack.conflicts().getFirst().reason()).isEqualTo(HandBack.Reason.NO_ROOM_FOR_A_FILE);
        assertThat(family.conflictFiles()).isEqualTo(files("d/x=f:yours"));
    }

    @Test
    void anEmptyDirectoryOfTheParentsOwnIsInTheWay() throws IOException {
        family.diverge(files("k=f:k"), files("k=f:k"), files("k=f:k", "d=f:yours"));
        Files.createDirectory(family.parent.resolve("d"));
        assertThat(paths(family.handBack())).containsExactly("d");
        assertThat(family.parent.resolve("d")).isDirectory();
    }

    @Test
    void aLinkOfTheParentIsNotFollowed() throws IOException {
        Path outside = Files.createDirectory(scratch.resolve("outside"));
        family.diverge(files("d/x=f:1"), files("d/x=f:1"), files("d/x=f:2", "d/y=f:3"));
        Files.delete(family.parent.resolve("d/x"));
        Files.delete(family.parent.resolve("d"));
        Files.createSymbolicLink(family.parent.resolve("d"), outside);

        HandBack handBack = family.handBack();

        assertThat(paths(handBack)).containsExactly("d/x", "d/y");
        assertThat(outside).isEmptyDirectory();
        assertThat(family.parentFiles()).isEqualTo(files("d=l:" + outside));
    }

    @Test
    void aLinkInTheCopyIsNotFollowed() throws IOException {
        Path outside = Files.createDirectory(scratch.resolve("outside"));
        Files.writeString(outside.resolve("x"), "secret");
        family.diverge(files("d/x=f:1"), files("d/x=f:1"), files());
        Files.createSymbolicLink(family.copy().resolve("d"), outside);

        HandBack handBack = family.handBack();

        assertThat(family.parentFiles()).isEqualTo(files("d=l:" + outside));
        assertThat(handBack.removed()).containsExactly("d/x");
        assertThat(outside.resolve("x")).hasContent("secret");
    }

    @Test
    void theTargetOfALinkIsItsContent() throws IOException {
        HandBack handBack = back(
                files("a=l:one", "b=l:one", "c=l:one"),
                files("a=l:one", "b=l:two", "c=l:two"),
                files("a=l:new", "b=l:two", "c=l:three"));
        assertThat(family.parentFiles()).isEqualTo(files("a=l:new", "b=l:two", "c=l:two"));
        assertThat(paths(handBack)).containsExactly("c");
        assertThat(family.conflictFiles()).isEqualTo(files("c=l:three"));
    }

    @Test
    void theExecutableBitIsContent() throws IOException {
        HandBack handBack =
                back(files("a=f:same", "b=f:same"), files("a=f:same", "b=f:other"), files("a=x:same", "b=x:same"));
        assertThat(family.parentFiles()).isEqualTo(files("a=x:same", "b=f:other"));
        assertThat(paths(handBack)).containsExactly("b");
    }

    @Test
    void theParentsOwnModeStays() throws IOException {
        FileTree.write(family.parent, files("a=f:1", "b=f:1"));
        Files.setPosixFilePermissions(family.parent.resolve("a"), PosixFilePermissions.fromString("rw-r-----"));
        Files.setPosixFilePermissions(family.parent.resolve("b"), PosixFilePermissions.fromString("rw-r-----"));
        family.create();
        Files.writeString(family.copy().resolve("a"), "2");
        Files.setPosixFilePermissions(family.copy().resolve("b"), PosixFilePermissions.fromString("rwxr-xr-x"));

        family.handBack();

        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(family.parent.resolve("a"))))
                .isEqualTo("rw-r-----");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(family.parent.resolve("b"))))
                .isEqualTo("rwxr-x---");
    }

    @Test
    void aPathThatBothAddedIsTheSameOrAConflict() throws IOException {
        HandBack handBack = back(files(), files("same=f:1", "other=f:1"), files("same=f:1", "other=f:2"));
        assertThat(family.parentFiles()).isEqualTo(files("same=f:1", "other=f:1"));
        assertThat(handBack.same()).isEqualTo(1);
        assertThat(handBack.taken()).isEmpty();
        assertThat(paths(handBack)).containsExactly("other");
    }

    @Test
    void aNameThatChangedItsCaseIsARemovalAndANewFile() throws IOException {
        HandBack handBack = back(files("readme=f:1"), files("readme=f:1"), files("README=f:1"));
        assertThat(family.parentFiles()).isEqualTo(files("README=f:1"));
        assertThat(handBack.removed()).containsExactly("readme");
        assertThat(handBack.taken()).containsExactly("README");
    }

    @Test
    void anEditOfTheSameSizeWithItsOldTimeStampIsSeen() throws IOException {
        FileTree.write(family.parent, files("a=f:one"));
        family.create();
        Path file = family.copy().resolve("a");
        FileTime time = Files.getLastModifiedTime(file);
        Files.writeString(file, "two");
        Files.setLastModifiedTime(file, time);

        assertThat(family.handBack().taken()).containsExactly("a");
        assertThat(family.parentFiles()).isEqualTo(files("a=f:two"));
    }

    @Test
    void aBasePathThatIsIgnoredByNowIsNotARemoval() throws IOException {
        SortedMap<String, String> base = files("log=f:1", "other=f:1");
        HandBack handBack = back(base, base, files("log=f:1", "other=f:1", ".gitignore=f:log\nnew\n", "new=f:x"));
        assertThat(family.parentFiles()).isEqualTo(files("log=f:1", "other=f:1", ".gitignore=f:log\nnew\n"));
        assertThat(handBack.taken()).containsExactly(".gitignore");
    }

    @Test
    void aSecondHandBackChangesNothingAndSaysTheSame() throws IOException {
        HandBack first = back(files("a=f:0", "b=f:0"), files("a=f:1", "b=f:0"), files("a=f:2", "b=f:9"));
        FileTree.write(family.parent, files("a=f:later"));
        assertThat(family.handBack()).isEqualTo(first);
        assertThat(family.parentFiles()).isEqualTo(files("a=f:later"));
    }

    @Test
    void afterItTheChildsDirectoryIsALinkAndTheCopiesAreGone() throws IOException {
        back(files("a=f:0"), files("a=f:0"), files("a=f:1"));
        assertThat(Files.readSymbolicLink(family.copy())).isEqualTo(family.parent);
        assertThat(family.directory().resolve("base")).doesNotExist();
        assertThat(family.directory().resolve("removing")).doesNotExist();
        assertThat(family.directory().resolve("handback.json")).isRegularFile();
        assertThat(family.directory().resolve("conflicts")).isEmptyDirectory();
        assertThat(PosixFilePermissions.toString(
                        Files.getPosixFilePermissions(family.directory().resolve("handback.json"))))
                .isEqualTo("rw-------");
    }

    @Test
    void whatACutRunLeftBesideAPathIsRemoved() throws IOException {
        family.diverge(files("d/a=f:0"), files("d/a=f:0"), files("d/a=f:1"));
        ParentTree.TemporaryNames names =
                new ParentTree.TemporaryNames(family.directory().toString());
        Files.writeString(family.parent.resolve("d").resolve(names.temporary("d/a")), "cut");
        family.handBack();
        assertThat(family.parentFiles()).isEqualTo(files("d/a=f:1"));
    }

    @Test
    void aNameThatIsNotUtf8ComesBackByItsBytes() throws Exception {
        FileTree.write(family.parent, files("a=f:0"));
        family.create();
        shell(family.copy(), "printf new > \"$(printf 'b\\377c')\"");
        HandBack handBack = family.handBack();
        assertThat(shell(family.parent, "cat \"$(printf 'b\\377c')\"")).isEqualTo("new");
        assertThat(handBack.taken()).hasSize(1);
        assertThat(family.handBack()).isEqualTo(handBack);
    }

    @Test
    void specialFilesOfTheChildAreLeftAndDoNotBlock() throws Exception {
        FileTree.write(family.parent, files("a=f:0", "b=f:0"));
        family.create();
        shell(family.copy(), "rm a && mkfifo a && mkfifo new");
        HandBack handBack = family.handBack();
        assertThat(handBack.removed()).containsExactly("a");
        assertThat(family.parentFiles()).isEqualTo(files("b=f:0"));
    }

    @Test
    void aSpecialFileOfTheParentStaysAndDoesNotBlock() throws Exception {
        family.diverge(files("a=f:0"), files("a=f:0"), files("a=f:1"));
        shell(family.parent, "rm a && mkfifo a");
        assertThat(paths(family.handBack())).containsExactly("a");
        assertThat(Files.readAttributes(
                                family.parent.resolve("a"),
                                java.nio.file.attribute.BasicFileAttributes.class,
                                LinkOption.NOFOLLOW_LINKS)
                        .isOther())
                .isTrue();
    }

    @Test
    void directoriesThatTheChildClosedAreReadAndRemoved() throws Exception {
        family.diverge(files("d/a=f:0"), files("d/a=f:0"), files("d/a=f:1", "e/b=f:2"));
        shell(family.copy(), "chmod 000 d/a e/b d e");
        assertThat(family.handBack().taken()).containsExactly("d/a", "e/b");
        assertThat(family.directory().resolve("removing")).doesNotExist();
    }

    @Test
    void aSparseFileStaysSparse() throws Exception {
        FileTree.write(family.parent, files("a=f:0"));
        family.create();
        shell(family.copy(), "truncate -s 1T hole && printf end >> hole");
        family.handBack();
        assertThat(Files.size(family.parent.resolve("hole"))).isEqualTo((1L << 40) + 3);
        assertThat(Integer.parseInt(shell(family.parent, "du -k hole | cut -f1").strip()))
                .isLessThan(100);
    }

    @Test
    void anEmptyFileAfterARestartOfTheMachineIsNotTakenForAnEdit() throws IOException {
        family.diverge(files("a=f:0", "b=f:0"), files("a=f:0", "b=f:0"), files("a=f:", "b=f:1"));
        Path file = family.directory().resolve("manifest");
        Manifest manifest = Manifest.read(file);
        new Manifest(manifest.parent(), manifest.settledNanos(), "another run", manifest.folders()).write(file);

        HandBack handBack = family.handBack();

        assertThat(family.parentFiles()).isEqualTo(files("a=f:0", "b=f:1"));
        assertThat(handBack.conflicts())
                .containsExactly(new HandBack.Conflict(
                        "a", HandBack.Reason.PERHAPS_LOST, Optional.of(family.directory() + "/conflicts/a")));
    }

    @Test
    void withoutAWorkspaceThereIsNoHandBack() {
        assertThatThrownBy(() -> family.handBack())
                .isInstanceOfSatisfying(
                        BerthException.class, e -> assertThat(e.code()).isEqualTo(ProblemCode.NOT_FOUND));
    }

    @Test
    void whenTheParentsDirectoryIsGoneTheCopyStays() throws IOException {
        family.diverge(files("a=f:0"), files("a=f:0"), files("a=f:1"));
        Path moved = Files.move(family.parent, scratch.resolve("moved"));
        assertThatThrownBy(() -> family.handBack()).isInstanceOf(IOException.class);
        assertThat(family.copy().resolve("a")).hasContent("1");
        Files.move(moved, family.parent);
        assertThat(family.handBack().taken()).containsExactly("a");
    }

    private static String shell(Path directory, String script) throws Exception {
        Process process = new ProcessBuilder("sh", "-c", script)
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .start();
        String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(out).isZero();
        return out;
    }
}
