package org.berth.harness.workspace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.berth.harness.workspace.Family.files;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.RejectedExecutionException;
import org.berth.harness.ignore.GitSurroundings;
import org.berth.harness.ignore.TreeListing;
import org.berth.problem.BerthException;
import org.berth.problem.ProblemCode;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class IsolatedWorkspaceTest {
    @TempDir
    Path scratch;

    private Family family;

    @BeforeEach
    void makeFamily() throws IOException {
        family = Family.in(scratch);
    }

    private static String mode(Path path) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
    }

    @Test
    void baseAndCopyHaveWhatIsNotIgnored() throws IOException {
        FileTree.write(
                family.parent,
                files("a=f:1", "run=x:2", "l=l:a", "d/e=f:3", "out/x=f:no", ".gitignore=f:out/\n", ".git/HEAD=f:x"));
        Files.createDirectory(family.parent.resolve("empty"));

        Created created = family.create();

        SortedMap<String, String> expected = files("a=f:1", "run=x:2", "l=l:a", "d/e=f:3", ".gitignore=f:out/\n");
        assertThat(created.directory()).isEqualTo(family.copy());
        assertThat(FileTree.read(family.copy())).isEqualTo(expected);
        assertThat(family.copy().resolve("empty")).doesNotExist();
        assertThat(created.copied().files()).isEqualTo(5);
        assertThat(created.copied().clonedFiles() + created.copied().copiedFiles())
                .isEqualTo(4);
    }

    /** A home directory kept in git, for example. */
    @Test
    void aWorkTreeAroundTheStateRootThatIgnoresItHidesNothingOfAChildsOwnCopy() throws IOException {
        FileTree.write(family.parent, files("a=f:1", "out/x=f:no", ".gitignore=f:out/\n"));
        Path copy = family.create().directory();
        Files.createDirectories(family.root.resolveSibling(".git/objects"));
        Files.createDirectories(family.root.resolveSibling(".git/refs"));
        Files.writeString(family.root.resolveSibling(".git/HEAD"), "ref: refs/heads/main\n");
        Files.writeString(family.root.resolveSibling(".gitignore"), "/" + family.root.getFileName() + "/\n");

        Created grandchild = family.workspace.create(copy, "child", "grandchild", Progress.NONE);
        assertThat(FileTree.read(grandchild.directory())).isEqualTo(files("a=f:1", ".gitignore=f:out/\n"));
    }

    @Test
    void berthsOwnDirectoriesAndFilesArePrivate() throws IOException {
        FileTree.write(family.parent, files("a=f:1"));
        family.create();
        for (String name : List.of("", "base", "copy", "conflicts", "..", "../..")) {
            assertThat(mode(family.directory().resolve(name))).as(name).isEqualTo("rwx------");
        }
        for (String name : List.of("manifest", "lock", "base.pack")) {
            assertThat(mode(family.directory().resolve(name))).as(name).isEqualTo("rw-------");
        }
    }

    @Test
    void aWriteInTheCopyReachesNeitherBaseNorParent() throws IOException {
        FileTree.write(family.parent, files("a=f:1"));
        family.create();
        Files.writeString(family.copy().resolve("a"), "2");
        assertThat(family.parent.resolve("a")).hasContent("1");
        assertThat(family.handBack().taken()).containsExactly("a");
    }

    @Test
    void largeFilesAreCopiedWhole() throws IOException {
        byte[] bytes = new byte[3 << 20];
        new java.util.Random(1).nextBytes(bytes);
        Files.write(family.parent.resolve("large"), bytes);
        family.create();
        assertThat(family.copy().resolve("large")).hasBinaryContent(bytes);
        assertThat(family.directory().resolve("base/large")).hasBinaryContent(bytes);
        bytes[2 << 20]++;
        Files.write(family.copy().resolve("large"), bytes);
        assertThat(family.handBack().taken()).containsExactly("large");
        assertThat(family.parent.resolve("large")).hasBinaryContent(bytes);
    }

    @Test
    void aSecondCreateAnswersTheSameWorkspace() throws IOException {
        FileTree.write(family.parent, files("a=f:1"));
        family.create();
        Files.writeString(family.copy().resolve("a"), "2");
        assertThat(family.create().directory()).isEqualTo(family.copy());
        assertThat(family.copy().resolve("a")).hasContent("2");
    }

    @Test
    void aCreateThatWasCutIsMadeAnew() throws IOException {
        FileTree.write(family.parent, files("a=f:1"));
        family.create();
        Files.delete(family.directory().resolve("manifest"));
        Files.writeString(family.copy().resolve("left"), "x");
        family.create();
        assertThat(FileTree.read(family.copy())).isEqualTo(files("a=f:1"));
    }

    @Test
    void afterTheHandBackThereIsNoCreate() throws IOException {
        FileTree.write(family.parent, files("a=f:1"));
        family.create();
        family.handBack();
        assertThatThrownBy(family::create)
                .isInstanceOfSatisfying(
                        BerthException.class, e -> assertThat(e.code()).isEqualTo(ProblemCode.CONFLICT));
    }

    @Test
    void tooManyFilesAreRefusedAndSharedIsNamed() throws IOException {
        FileTree.write(family.parent, files("a=f:1", "b=f:1", "d/c=f:1"));
        IsolatedWorkspace small = limited(2, Lanes.ofThreads(1));
        assertThatThrownBy(() -> small.create(family.parent, "s", "c", Progress.NONE))
                .isInstanceOfSatisfying(
                        BerthException.class, e -> assertThat(e.code()).isEqualTo(ProblemCode.TOO_LARGE))
                .hasMessageContaining("more than 2 files")
                .hasMessageContaining("shared");
        assertThat(family.root.resolve("workspaces/s/c/copy")).doesNotExist();
        assertThat(limited(3, Lanes.ofThreads(1))
                        .create(family.parent, "s", "c", Progress.NONE)
                        .copied()
                        .files())
                .isEqualTo(3);
        assertThat(IsolatedWorkspace.MAX_FILES).isEqualTo(100_000);
    }

    private IsolatedWorkspace limited(int files, Lanes lanes) {
        Path none = family.root.resolve("none");
        return new IsolatedWorkspace(family.root, new TreeListing(new GitSurroundings(none, none, none)), lanes, files);
    }

    @Test
    void aStateRootWithinTheParentIsNotCopied() throws IOException {
        FileTree.write(family.parent, files("a=f:1"));
        Path root = Files.createDirectories(family.parent.resolve("state/berth"));
        IsolatedWorkspace inside = Family.workspace(root);
        Files.writeString(root.resolve("x"), "secret");
        Created created = inside.create(family.parent, "s", "c", Progress.NONE);
        assertThat(FileTree.read(created.directory())).isEqualTo(files("a=f:1"));
    }

    @Test
    void withoutAThreadToSpareTheCallerCopiesAlone() throws IOException {
        for (int i = 0; i < 600; i++) {
            Files.writeString(family.parent.resolve("f" + i), "x");
        }
        Lanes refused = new Lanes(
                task -> {
                    throw new RejectedExecutionException("full");
                },
                4);
        Created created = limited(1000, refused).create(family.parent, "s", "c", Progress.NONE);
        assertThat(created.directory().toFile().list()).hasSize(600);
    }

    @Test
    void aLongCopyTellsHowFarItIs() throws IOException {
        for (int i = 0; i < 600; i++) {
            Files.writeString(family.parent.resolve("f" + i), "x");
        }
        List<Long> files = new CopyOnWriteArrayList<>();
        family.workspace.create(family.parent, "s", "c", (done, of, bytes) -> {
            assertThat(of).isEqualTo(600);
            files.add(done);
        });
        assertThat(files).contains(600L).hasSizeBetween(3, 600).isSorted();
    }

    @Test
    void idsThatCouldLeadElsewhereAreRefused() {
        for (String id : List.of("..", "a/b", "", ".x", "a b")) {
            assertThatThrownBy(() -> family.workspace.create(family.parent, id, "c", Progress.NONE))
                    .isInstanceOf(BerthException.class);
            assertThatThrownBy(() -> family.workspace.create(family.parent, "s", id, Progress.NONE))
                    .isInstanceOf(BerthException.class);
        }
    }

    @Test
    void aHandBackNeedNotWaitForTheRemovalOfItsCopy() throws IOException {
        FileTree.write(family.parent, files("a=f:0"));
        family.create();
        FileTree.write(family.copy(), files("a=f:1"));
        List<Runnable> later = new ArrayList<>();

        assertThat(family.workspace
                        .handBack(Family.SESSION, Family.CHILD, later::add)
                        .taken())
                .containsExactly("a");
        assertThat(family.copy()).isSymbolicLink();
        assertThat(family.discarded()).hasSize(2);

        later.forEach(Runnable::run);
        assertThat(family.discarded()).isEmpty();
    }

    @Test
    void aCopyThatItsChildMadeUnchangeableComesHomeAndGoes() throws IOException {
        FileTree.write(family.parent, files("a=f:0", "d/b=f:0"));
        family.create();
        FileTree.write(family.copy(), files("a=f:1", "d/b=f:0"));
        for (Path each : List.of(family.copy().resolve("d"), family.copy())) {
            Files.setPosixFilePermissions(each, PosixFilePermissions.fromString("r-xr-xr-x"));
        }
        assertThat(family.handBack().taken()).containsExactly("a");
        assertThat(family.copy()).isSymbolicLink();
        assertThat(family.discarded()).isEmpty();
    }

    /** One whose base and copy nobody removed. */
    private void leaveAHandBack() throws IOException {
        FileTree.write(family.parent, files("a=f:0"));
        family.create();
        family.workspace.handBack(Family.SESSION, Family.CHILD, task -> {
            throw new RejectedExecutionException();
        });
    }

    @Test
    void whatNobodyRemovedIsRemovedByASweep() throws IOException {
        leaveAHandBack();
        assertThat(family.discarded()).hasSize(2);

        family.sweep();
        assertThat(family.discarded()).isEmpty();
    }

    @Test
    void aHandBackThatIsAskedForAgainRemovesWhatItsFirstCallLeftAndNothingElse() throws IOException {
        leaveAHandBack();
        Path another = Files.createDirectory(family.discarded().getFirst().resolveSibling("another"));

        family.handBack();
        assertThat(family.discarded()).containsExactly(another);
    }

    @Test
    void aWorkspaceThatIsBeingWorkedOnIsAConflict() throws IOException {
        FileTree.write(family.parent, files("a=f:1"));
        family.create();
        try (WorkspaceLock held = WorkspaceLock.of(new Layout(family.directory()))) {
            assertThat(held.channel().isOpen()).isTrue();
            assertThatThrownBy(family::handBack)
                    .isInstanceOfSatisfying(
                            BerthException.class, e -> assertThat(e.code()).isEqualTo(ProblemCode.CONFLICT));
        }
        family.handBack();
    }
}
