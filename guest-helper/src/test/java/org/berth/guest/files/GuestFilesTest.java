package org.berth.guest.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.berth.guest.Refused;
import org.berth.guest.os.DirectoryWatch;
import org.berth.guest.os.Kernel;
import org.berth.guest.os.KernelException;
import org.berth.guest.os.Syscall;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class GuestFilesTest {
    private static final int AT_FDCWD = -100;
    private static final int RENAME_EXCHANGE = 2;

    @TempDir
    Path directory;

    private Path root;
    private Path outside;
    private GuestFiles files;

    @BeforeEach
    void makeTree() throws IOException {
        root = Files.createDirectories(directory.toRealPath().resolve("root"));
        outside = Files.writeString(directory.toRealPath().resolve("outside"), "secret");
        Files.createDirectories(root.resolve("work"));
        files = new GuestFiles(root.toString());
    }

    private static void refused(Refused.Code code, ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        Refused.class, refused -> assertThat(refused.code()).isEqualTo(code));
    }

    @Test
    void aFileIsReadByItsRelativeAndItsAbsolutePath() throws IOException {
        Files.writeString(root.resolve("work/a"), "text");
        assertThat(files.read("work/a")).asString().isEqualTo("text");
        assertThat(files.read("work//./a")).asString().isEqualTo("text");
        assertThat(files.read(root + "/work/a")).asString().isEqualTo("text");
        assertThat(files.read(Files.createFile(root.resolve("empty")).toString()))
                .isEmpty();
    }

    @Test
    void whatIsNotUnderTheRootIsRefused() {
        refused(Refused.Code.PATH_OUTSIDE_ROOT, () -> files.read(outside.toString()));
        refused(Refused.Code.PATH_OUTSIDE_ROOT, () -> files.read(root + "2/a"));
        refused(Refused.Code.PATH_INVALID, () -> files.read(root + "/../outside"));
        refused(Refused.Code.PATH_INVALID, () -> files.read("../outside"));
        refused(Refused.Code.PATH_INVALID, () -> files.read(root.toString()));
        refused(Refused.Code.PATH_INVALID, () -> files.read("."));
        refused(Refused.Code.PATH_INVALID, () -> files.read("a\0b"));
        refused(Refused.Code.PATH_INVALID, () -> files.read("a/".repeat(3000)));
        refused(Refused.Code.ROOT_INVALID, () -> new GuestFiles("relative"));
        refused(Refused.Code.ROOT_INVALID, () -> new GuestFiles("/").read("etc/passwd"));
    }

    @Test
    void linksAreRefusedWhereverTheyStand() throws IOException {
        Files.createSymbolicLink(root.resolve("work/link"), outside);
        Files.createSymbolicLink(root.resolve("work/dangling"), directory.resolve("made"));
        Files.createSymbolicLink(root.resolve("up"), directory);
        refused(Refused.Code.SYMLINK, () -> files.read("work/link"));
        refused(Refused.Code.SYMLINK, () -> files.exists("work/link"));
        refused(Refused.Code.SYMLINK, () -> files.read("up/outside"));
        refused(Refused.Code.SYMLINK, () -> files.install("work/dangling", new byte[1], GuestFiles.PRIVATE));
        refused(Refused.Code.SYMLINK, () -> files.installNew("work/link", new byte[1], GuestFiles.PRIVATE));
        refused(Refused.Code.SYMLINK, () -> files.install("up/made", new byte[1], GuestFiles.PRIVATE));
        refused(Refused.Code.SYMLINK, () -> files.makeParents("up/deep/er"));
        refused(Refused.Code.SYMLINK, () -> files.openPrivate("work/dangling"));
        refused(Refused.Code.SYMLINK, () -> files.remove("up/outside"));
        assertThat(directory.resolve("made")).doesNotExist();
        assertThat(directory.resolve("deep")).doesNotExist();
        assertThat(outside).hasContent("secret");
    }

    @Test
    void aRootBehindALinkIsRefused() throws IOException {
        Path link = Files.createSymbolicLink(directory.toRealPath().resolve("alias"), root);
        refused(Refused.Code.ROOT_INVALID, () -> new GuestFiles(link.toString()).makeRoot());
        refused(
                Refused.Code.ROOT_INVALID,
                () -> new GuestFiles(link.resolve("work").toString()).read("a"));
    }

    @Test
    void specialFilesAreRefusedWithoutWaiting() throws Exception {
        assertThat(new ProcessBuilder("mkfifo", root.resolve("fifo").toString())
                        .start()
                        .waitFor())
                .isZero();
        refused(Refused.Code.FILE_INVALID, () -> files.read("fifo"));
        refused(Refused.Code.FILE_INVALID, () -> files.read("work"));
        refused(Refused.Code.FILE_MISSING, () -> files.read("none"));
        refused(Refused.Code.FILE_MISSING, () -> files.read("none/deeper"));
        refused(Refused.Code.FILE_INVALID, () -> files.read("fifo/deeper"));
    }

    @Test
    void aFileWithAnotherNameIsRefused() throws IOException {
        Files.createLink(root.resolve("work/hard"), outside);
        refused(Refused.Code.FILE_INVALID, () -> files.read("work/hard"));
        files.install("work/hard", "new".getBytes(), GuestFiles.PRIVATE);
        assertThat(outside).hasContent("secret");
        assertThat(root.resolve("work/hard")).hasContent("new");
    }

    @Test
    void aNameLikeAnOptionAndANameBeyondAsciiAreNames() {
        for (String name : List.of("--read", "-", "é≤", "a b")) {
            files.install("work/" + name, name.getBytes(), GuestFiles.PRIVATE);
            assertThat(files.read("work/" + name)).isEqualTo(name.getBytes());
        }
    }

    @Test
    void theBoundHoldsToTheByte() throws IOException {
        byte[] most = new byte[GuestFiles.MAX_BYTES];
        files.install("work/most", most, GuestFiles.PRIVATE);
        assertThat(files.read("work/most")).hasSize(GuestFiles.MAX_BYTES);
        Files.write(root.resolve("work/most"), new byte[1], StandardOpenOption.APPEND);
        refused(Refused.Code.FILE_INVALID, () -> files.read("work/most"));
        refused(
                Refused.Code.FILE_INVALID,
                () -> files.install("work/more", new byte[GuestFiles.MAX_BYTES + 1], GuestFiles.PRIVATE));
        try (RandomAccessFile sparse =
                new RandomAccessFile(root.resolve("sparse").toFile(), "rw")) {
            sparse.setLength(1L << 40);
        }
        refused(Refused.Code.FILE_INVALID, () -> files.read("sparse"));
    }

    @Test
    void aFileThatGrowsAfterTheLookIsRefusedAndNotReadWhole() throws IOException {
        Path file = Files.writeString(root.resolve("work/report.json"), "{}");
        GuestFiles growing = new GuestFiles(root.toString(), () -> append(file, GuestFiles.MAX_BYTES + 1));
        refused(Refused.Code.FILE_INVALID, () -> growing.read("work/report.json"));
    }

    @Test
    void aFileThatIsCutOrRewrittenAfterTheLookIsRefused() throws IOException {
        Path file = Files.writeString(root.resolve("work/a"), "before");
        refused(
                Refused.Code.FILE_INVALID,
                () -> new GuestFiles(root.toString(), () -> rewrite(file, "x")).read("work/a"));
        rewrite(file, "before");
        refused(
                Refused.Code.FILE_INVALID,
                () -> new GuestFiles(root.toString(), () -> rewrite(file, "after!")).read("work/a"));
    }

    private static void append(Path file, int bytes) {
        try {
            Files.write(file, new byte[bytes], StandardOpenOption.APPEND);
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    private static void rewrite(Path file, String text) {
        try {
            Files.writeString(file, text);
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    @Test
    void anInstallHasItsModeItsParentsAndLeavesNothingElse() throws IOException {
        files.install("deep/er/tool", "#!".getBytes(), GuestFiles.PROGRAM);
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(root.resolve("deep/er/tool"))))
                .isEqualTo("rwx------");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(root.resolve("deep"))))
                .isEqualTo("rwx------");
        files.install("deep/er/tool", "second".getBytes(), GuestFiles.PRIVATE);
        assertThat(files.installNew("deep/er/tool", "third".getBytes(), GuestFiles.PRIVATE))
                .isFalse();
        assertThat(root.resolve("deep/er/tool")).hasContent("second");
        Files.createDirectory(root.resolve("deep/er/taken"));
        assertThatThrownBy(() -> files.install("deep/er/taken", new byte[1], GuestFiles.PRIVATE))
                .isInstanceOf(RuntimeException.class);
        try (Stream<Path> left = Files.list(root.resolve("deep/er"))) {
            assertThat(left.map(each -> each.getFileName().toString())).containsExactlyInAnyOrder("tool", "taken");
        }
    }

    @Test
    void aDirectoryThatFlipsToALinkLeadsNowhereElse() throws Exception {
        Path elsewhere = Files.createDirectory(directory.resolve("elsewhere"));
        Files.writeString(elsewhere.resolve("a"), "secret");
        Path flipping = Files.createDirectory(root.resolve("flip"));
        Files.writeString(flipping.resolve("a"), "inside");
        Path link = Files.createSymbolicLink(root.resolve("link"), elsewhere);
        AtomicBoolean done = new AtomicBoolean();
        Thread flipper = Thread.ofPlatform().start(() -> flip(flipping, link, done));
        try {
            int good = 0;
            int refused = 0;
            for (int i = 0; i < 3000; i++) {
                try {
                    assertThat(files.read("flip/a")).asString().isEqualTo("inside");
                    files.install("flip/b" + i % 10, "mine".getBytes(), GuestFiles.PRIVATE);
                    good++;
                } catch (Refused | KernelException e) {
                    refused++;
                }
            }
            assertThat(good).isPositive();
            assertThat(refused).isPositive();
        } finally {
            done.set(true);
            flipper.join();
        }
        try (Stream<Path> there = Files.list(elsewhere)) {
            assertThat(there).containsExactly(elsewhere.resolve("a"));
        }
        assertThat(elsewhere.resolve("a")).hasContent("secret");
    }

    /** Shows the directory and the link in turn under one name, which is never missing. */
    private static void flip(Path shown, Path other, AtomicBoolean done) {
        ByteBuffer one = Kernel.text(shown.toString());
        ByteBuffer two = Kernel.text(other.toString());
        while (!done.get()) {
            Kernel.call(
                    Syscall.RENAMEAT2, AT_FDCWD, Kernel.address(one), AT_FDCWD, Kernel.address(two), RENAME_EXCHANGE);
        }
        Reference.reachabilityFence(one);
        Reference.reachabilityFence(two);
    }

    @Test
    void a_watch_ends_when_a_name_comes_into_its_directory() throws Exception {
        try (DirectoryWatch watch = files.watchFor("control/launch.json")) {
            assertThat(files.exists("control/launch.json")).isFalse();
            Thread putting = Thread.ofPlatform()
                    .start(() -> files.install("control/launch.json", new byte[] {1}, GuestFiles.PRIVATE));
            // The watch is told of the temporary name first.
            assertTimeoutPreemptively(Duration.ofSeconds(30), () -> {
                while (!files.exists("control/launch.json")) {
                    watch.await(60_000);
                }
            });
            putting.join();
        }
    }
}
