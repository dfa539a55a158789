package org.berth.harness.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.json.Json;
import jakarta.json.JsonArray;
import jakarta.json.JsonObject;
import jakarta.json.JsonString;
import java.io.IOException;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.berth.harness.ignore.GitSurroundings;
import org.berth.harness.ignore.TreeListing;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FileRequestsTest {
    @TempDir
    Path scratch;

    private Path mount;
    private Path outside;
    private FileRequests requests;

    @BeforeEach
    void makeMount() throws IOException {
        mount = Files.createDirectory(scratch.toRealPath().resolve("mount"));
        outside = Files.createDirectory(scratch.toRealPath().resolve("outside"));
        requests = with(new FileLimits(10_000, 100, 20, 5, 40, Duration.ofSeconds(20)));
    }

    private FileRequests with(FileLimits limits) {
        return new FileRequests(new Roots(List.of(mount)), listing(), limits, System::nanoTime);
    }

    private TreeListing listing() {
        Path none = scratch.resolve("none");
        return new TreeListing(new GitSurroundings(none, none, none));
    }

    /** {@code fields} with single quotes in place of double ones. */
    private JsonObject handle(String type, String fields) throws FsException, IOException {
        JsonObject given = Json.createReader(new StringReader("{" + fields.replace('\'', '"') + "}"))
                .readObject();
        return requests.handle(
                type,
                Json.createObjectBuilder(given).add("cwd", mount.toString()).build());
    }

    @Test
    void what_is_new_has_the_given_umask_and_what_is_there_keeps_its_mode() throws Exception {
        Path there = file("there.txt", "old");
        Files.setPosixFilePermissions(there, PosixFilePermissions.fromString("rwxrwx---"));
        requests = new FileRequests(
                new Roots(List.of(mount), OptionalInt.of(027)), listing(), FileLimits.DEFAULT, System::nanoTime);
        handle("fs.write", "'path': 'a/b/new.txt', 'text': 'x'");
        handle("fs.write", "'path': 'there.txt', 'text': 'new'");
        assertThat(mode("a")).isEqualTo("rwxr-x---");
        assertThat(mode("a/b")).isEqualTo("rwxr-x---");
        assertThat(mode("a/b/new.txt")).isEqualTo("rw-r-----");
        assertThat(mode("there.txt")).isEqualTo("rwxrwx---");
    }

    private String mode(String path) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(mount.resolve(path)));
    }

    private void refused(FsException.Reason reason, String type, String fields) {
        assertThatThrownBy(() -> handle(type, fields))
                .isInstanceOfSatisfying(
                        FsException.class, e -> assertThat(e.reason()).isEqualTo(reason));
    }

    private Path file(String path, String text) throws IOException {
        Path file = mount.resolve(path);
        Files.createDirectories(file.getParent());
        return Files.writeString(file, text);
    }

    private static List<String> texts(JsonArray array) {
        return array.getValuesAs(JsonString.class).stream()
                .map(JsonString::getString)
                .toList();
    }

    @Test
    void aFileIsReadAsItIs() throws Exception {
        file("d/a", "one\r\ntwo\nthree");
        assertThat(handle("fs.read", "'path':'d/a'"))
                .isEqualTo(Json.createObjectBuilder()
                        .add("path", "d/a")
                        .add("absolute", mount + "/d/a")
                        .add("text", "one\r\ntwo\nthree")
                        .add("firstLine", 1)
                        .add("lines", 3)
                        .add("totalLines", 3)
                        .add("bytes", 14)
                        .add("truncated", false)
                        .build());
        file("empty", "");
        assertThat(handle("fs.read", "'path':'empty'").getInt("totalLines")).isZero();
    }

    @Test
    void linesAreReadFromAnOffsetUpToALimit() throws Exception {
        file("a", "1\n2\n3\n4\n");
        JsonObject reply = handle("fs.read", "'path':'a','offset':2,'limit':2");
        assertThat(reply.getString("text")).isEqualTo("2\n3\n");
        assertThat(reply.getInt("nextOffset")).isEqualTo(4);
        assertThat(handle("fs.read", "'path':'a','offset':4").getBoolean("truncated"))
                .isFalse();
        refused(FsException.Reason.INVALID, "fs.read", "'path':'a','offset':5");
        refused(FsException.Reason.INVALID, "fs.read", "'path':'a','offset':0");
        refused(FsException.Reason.INVALID, "fs.read", "'path':'a','limit':'x'");
    }

    @Test
    void pagesOfAFileAreTheWholeFile() throws Exception {
        String text =
                IntStream.range(0, 300).mapToObj(i -> "line ü " + i + "\n").reduce("", String::concat);
        file("a", text);
        StringBuilder read = new StringBuilder();
        int offset = 1;
        while (true) {
            JsonObject reply = handle("fs.read", "'path':'a','offset':" + offset);
            read.append(reply.getString("text"));
            assertThat(reply.getInt("bytes")).isLessThanOrEqualTo(100);
            if (!reply.getBoolean("truncated")) {
                break;
            }
            offset = reply.getInt("nextOffset");
        }
        assertThat(read).hasToString(text);
    }

    @Test
    void aLongLineIsCutBetweenCharacters() throws Exception {
        file("a", "x" + "😀".repeat(50));
        JsonObject reply = handle("fs.read", "'path':'a'");
        assertThat(reply.getString("text")).isEqualTo("x" + "😀".repeat(24));
        assertThat(reply.getBoolean("truncated")).isTrue();
        assertThat(reply).doesNotContainKey("nextOffset");
    }

    @Test
    void whatIsNoTextFileIsRefusedByItsReason() throws Exception {
        Files.write(mount.resolve("bytes"), new byte[] {(byte) 0xff, (byte) 0xfe, 0});
        Files.createDirectory(mount.resolve("dir"));
        file("large", "x".repeat(10_001));
        assertThat(new ProcessBuilder("mkfifo", mount.resolve("pipe").toString())
                        .start()
                        .waitFor())
                .isZero();
        refused(FsException.Reason.NOT_UTF8, "fs.read", "'path':'bytes'");
        refused(FsException.Reason.NOT_A_FILE, "fs.read", "'path':'dir'");
        refused(FsException.Reason.NOT_A_FILE, "fs.read", "'path':'.'");
        refused(FsException.Reason.NOT_A_FILE, "fs.read", "'path':'pipe'");
        refused(FsException.Reason.NOT_A_FILE, "fs.write", "'path':'pipe','text':'x'");
        refused(FsException.Reason.NOT_A_FILE, "fs.write", "'path':'dir','text':'x'");
        refused(FsException.Reason.NOT_A_FILE, "fs.read", "'path':'large/x'");
        refused(FsException.Reason.TOO_LARGE, "fs.read", "'path':'large'");
        refused(FsException.Reason.MISSING, "fs.read", "'path':'nothing'");
        refused(FsException.Reason.MISSING, "fs.read", "'path':'no/thing'");
        refused(FsException.Reason.INVALID, "fs.read", "'path':''");
        refused(FsException.Reason.INVALID, "fs.read", "'path':7");
        refused(FsException.Reason.INVALID, "fs.delete", "'path':'large'");
    }

    @Test
    void aSparseFileOfATebibyteIsRefusedAtOnce() throws Exception {
        assertThat(new ProcessBuilder(
                                "truncate", "-s", "1T", mount.resolve("hole").toString())
                        .start()
                        .waitFor())
                .isZero();
        refused(FsException.Reason.TOO_LARGE, "fs.read", "'path':'hole'");
        assertThat(handle("fs.grep", "'pattern':'x'").getInt("skipped")).isEqualTo(1);
    }

    @Test
    void nothingOutsideIsReadOrWritten() throws Exception {
        Files.writeString(outside.resolve("secret"), "s");
        Files.createSymbolicLink(mount.resolve("link"), outside.resolve("secret"));
        Files.createSymbolicLink(mount.resolve("dir"), outside);
        Files.createSymbolicLink(mount.resolve("dangling"), outside.resolve("new"));
        Files.createSymbolicLink(mount.resolve("up"), Path.of(".."));
        for (String path : List.of(
                "link",
                "dir/secret",
                "dir/new",
                "dangling",
                "up/outside/secret",
                "../outside/secret",
                "/etc/passwd",
                "dir/../outside/new",
                "~/x")) {
            refused(FsException.Reason.OUTSIDE, "fs.read", "'path':'" + path + "'");
            refused(FsException.Reason.OUTSIDE, "fs.write", "'path':'" + path + "','text':'x'");
            refused(
                    FsException.Reason.OUTSIDE,
                    "fs.edit",
                    "'sections':[{'path':'" + path + "','edits':[{'oldText':'s','newText':'x'}]}]");
        }
        file("own", "s");
        refused(FsException.Reason.OUTSIDE, "fs.edit", "'path':'own','destination':'dir/own'");
        refused(FsException.Reason.OUTSIDE, "fs.grep", "'pattern':'s','path':'dir'");
        refused(FsException.Reason.OUTSIDE, "fs.glob", "'pattern':'**','path':'..'");
        assertThat(outside.toFile().list()).containsExactly("secret");
        assertThat(outside.resolve("secret")).hasContent("s");
    }

    @Test
    void aLinkWithinIsFollowedAndStays() throws Exception {
        file("real", "1");
        Files.createSymbolicLink(mount.resolve("link"), Path.of("real"));
        assertThat(handle("fs.read", "'path':'link'").getString("absolute")).isEqualTo(mount + "/real");
        handle("fs.write", "'path':'link','text':'2'");
        assertThat(mount.resolve("link")).isSymbolicLink();
        assertThat(mount.resolve("real")).hasContent("2");
    }

    @Test
    void aHardLinkToAFileOutsideLeavesThatFile() throws Exception {
        Files.writeString(outside.resolve("f"), "1");
        Files.createLink(mount.resolve("f"), outside.resolve("f"));
        handle("fs.write", "'path':'f','text':'2'");
        assertThat(outside.resolve("f")).hasContent("1");
        assertThat(mount.resolve("f")).hasContent("2");
    }

    @Test
    void aDirectoryThatFlipsToALinkLeadsNowhere() throws Exception {
        Files.writeString(outside.resolve("x"), "secret");
        Files.createDirectory(mount.resolve("d"));
        file("d/x", "own");
        Files.createSymbolicLink(mount.resolve("l"), outside);
        CountDownLatch over = new CountDownLatch(1);
        Thread flipper = Thread.ofPlatform().start(() -> {
            Path d = mount.resolve("d");
            Path real = mount.resolve("real");
            Path link = mount.resolve("l");
            while (over.getCount() > 0) {
                try {
                    Files.move(d, real);
                    Files.move(link, d);
                    Files.move(d, link);
                    Files.move(real, d);
                } catch (IOException e) {
                    throw new java.io.UncheckedIOException(e);
                }
            }
        });
        int read = 0;
        for (int i = 0; i < 3000; i++) {
            try {
                assertThat(handle("fs.read", "'path':'d/x'").getString("text")).isEqualTo("own");
                handle("fs.edit", "'path':'d/x','edits':[{'oldText':'own','newText':'own'}]");
                read++;
            } catch (FsException e) {
                assertThat(e.reason())
                        .isIn(FsException.Reason.OUTSIDE, FsException.Reason.MISSING, FsException.Reason.NOT_A_FILE);
            }
        }
        over.countDown();
        flipper.join();
        assertThat(read).isPositive();
        assertThat(outside.toFile().list()).containsExactly("x");
        assertThat(outside.resolve("x")).hasContent("secret");
    }

    @Test
    void aNewFileKeepsTheUmaskAndAnOldOneItsMode() throws Exception {
        Path made = Files.writeString(mount.resolve("made-by-java"), "");
        assertThat(handle("fs.write", "'path':'d/e/new','text':'ü'"))
                .isEqualTo(Json.createObjectBuilder()
                        .add("path", "d/e/new")
                        .add("absolute", mount + "/d/e/new")
                        .add("bytes", 2)
                        .add("created", true)
                        .build());
        assertThat(Files.getPosixFilePermissions(mount.resolve("d/e/new")))
                .isEqualTo(Files.getPosixFilePermissions(made));
        Files.setPosixFilePermissions(made, PosixFilePermissions.fromString("rwxr-x--x"));
        assertThat(handle("fs.write", "'path':'made-by-java','text':'x'").getBoolean("created"))
                .isFalse();
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(made)))
                .isEqualTo("rwxr-x--x");
        assertThat(mount.resolve("d/e").toFile().list()).containsExactly("new");
    }

    @Test
    void textThatIsTooLargeOrHalfACharacterIsNotWritten() {
        refused(FsException.Reason.TOO_LARGE, "fs.write", "'path':'a','text':'" + "x".repeat(10_001) + "'");
        refused(FsException.Reason.INVALID, "fs.write", "'path':'a','text':'\\ud800'");
        assertThat(mount).isEmptyDirectory();
    }

    @Test
    void aNameThatLooksLikeAnOptionIsAName() throws Exception {
        handle("fs.write", "'path':'--rf','text':'x'");
        assertThat(handle("fs.read", "'path':'--rf'").getString("text")).isEqualTo("x");
    }

    @Test
    void editsAreMadeInOrderAndFilesMoved() throws Exception {
        file("a", "one two two");
        Files.setPosixFilePermissions(mount.resolve("a"), PosixFilePermissions.fromString("rwxr-x---"));
        file("b", "move me");
        JsonObject reply = handle("fs.edit", """
                'sections':[
                  {'path':'a','edits':[{'oldText':'one','newText':'1'},{'oldText':'two','newText':'2','all':true}],
                   'destination':'sub/a2'},
                  {'path':'b','destination':'c'}]""");
        assertThat(mount.resolve("sub/a2")).hasContent("1 2 2");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(mount.resolve("sub/a2"))))
                .isEqualTo("rwxr-x---");
        assertThat(mount.resolve("c")).hasContent("move me");
        assertThat(mount.toFile().list()).containsExactlyInAnyOrder("sub", "c");
        JsonObject first = reply.getJsonArray("sections").getJsonObject(0);
        assertThat(first.getInt("replaced")).isEqualTo(3);
        assertThat(first.getString("destination")).isEqualTo(mount + "/sub/a2");
    }

    @Test
    void oneSectionNeedsNoList() throws Exception {
        file("a", "x\ny\n");
        handle("fs.edit", "'path':'a','edits':[{'oldText':'x\\n','newText':''}]");
        assertThat(mount.resolve("a")).hasContent("y");
    }

    @Test
    void anEditThatDoesNotFitChangesNoFile() throws Exception {
        file("good", "x");
        file("twice", "aaa");
        String good = "{'path':'good','edits':[{'oldText':'x','newText':'y'}]},";
        refused(
                FsException.Reason.NO_MATCH,
                "fs.edit",
                "'sections':[" + good + "{'path':'twice','edits':[{'oldText':'b','newText':''}]}]");
        refused(
                FsException.Reason.NOT_UNIQUE,
                "fs.edit",
                "'sections':[" + good + "{'path':'twice','edits':[{'oldText':'aa','newText':''}]}]");
        refused(
                FsException.Reason.INVALID,
                "fs.edit",
                "'sections':[" + good + "{'path':'twice','edits':[{'oldText':'','newText':''}]}]");
        refused(
                FsException.Reason.INVALID,
                "fs.edit",
                "'sections':[" + good + "{'path':'twice','destination':'good'}]");
        refused(
                FsException.Reason.INVALID,
                "fs.edit",
                "'sections':[" + good + good.substring(0, good.length() - 1) + "]");
        refused(FsException.Reason.INVALID, "fs.edit", "'sections':[{'path':'good'}]");
        refused(
                FsException.Reason.MISSING,
                "fs.edit",
                "'sections':[" + good + "{'path':'nothing','edits':[{'oldText':'b','newText':''}]}]");
        assertThat(mount.resolve("good")).hasContent("x");
        assertThat(mount.resolve("twice")).hasContent("aaa");
    }

    @Test
    void matchesHaveTheirPathLineColumnAndText() throws Exception {
        file("a.txt", "no\nüber foo\r\nfoo foo\n");
        file("sub/b.md", "Foo\n");
        file(".gitignore", "out/\n");
        file("out/c", "foo\n");
        Files.write(mount.resolve("binary"), "foo\0".getBytes(StandardCharsets.UTF_8));
        JsonObject reply = handle("fs.grep", "'pattern':'fo+'");
        assertThat(reply.getString("absolute")).isEqualTo(mount.toString());
        assertThat(reply.getJsonArray("matches").toString())
                .isEqualTo("[{\"path\":\"a.txt\",\"line\":2,\"column\":6,\"text\":\"über foo\"},"
                        + "{\"path\":\"a.txt\",\"line\":3,\"column\":1,\"text\":\"foo foo\"}]");
        assertThat(reply.getInt("skipped")).isEqualTo(1);
        assertThat(reply.getBoolean("truncated")).isFalse();
        assertThat(handle("fs.grep", "'pattern':'FOO','ignoreCase':true,'glob':'*.md'")
                        .getJsonArray("matches"))
                .hasSize(1);
        assertThat(handle("fs.grep", "'pattern':'o f','literal':true,'path':'a.txt'")
                        .getJsonArray("matches"))
                .hasSize(1);
        assertThat(handle("fs.grep", "'pattern':'f.o','literal':true").getJsonArray("matches"))
                .isEmpty();
        refused(FsException.Reason.INVALID, "fs.grep", "'pattern':'('");
        refused(FsException.Reason.MISSING, "fs.grep", "'pattern':'x','path':'nothing'");
    }

    @Test
    void matchesAreBoundedInNumberAndLength() throws Exception {
        file("a", "x\n".repeat(9));
        JsonObject reply = handle("fs.grep", "'pattern':'x'");
        assertThat(reply.getJsonArray("matches")).hasSize(5);
        assertThat(reply.getString("stopped")).isEqualTo("matches");
        file("a", "y" + "😀".repeat(30) + "\n");
        assertThat(handle("fs.grep", "'pattern':'y'")
                        .getJsonArray("matches")
                        .getJsonObject(0)
                        .getString("text"))
                .isEqualTo("y" + "😀".repeat(19));
        file("a", ("z" + "-".repeat(39) + "\n").repeat(4));
        assertThat(handle("fs.grep", "'pattern':'z'").getString("stopped")).isEqualTo("bytes");
    }

    @Test
    void aPatternThatNeedsForeverEndsAtItsTime() throws Exception {
        file("a", "a".repeat(200) + "\n");
        AtomicLong now = new AtomicLong();
        FileRequests bounded = new FileRequests(
                new Roots(List.of(mount)), listing(), FileLimits.DEFAULT, () -> now.addAndGet(1_000_000));
        JsonObject reply = bounded.handle(
                "fs.grep",
                Json.createObjectBuilder()
                        .add("cwd", mount.toString())
                        .add("pattern", "(a+)+\\1b")
                        .build());
        assertThat(reply.getString("stopped")).isEqualTo("time");
    }

    @Test
    void aPatternThatNeedsTooMuchDepthIsRefused() throws Exception {
        requests = with(FileLimits.DEFAULT);
        file("a", "ab".repeat(500_000) + "\n");
        refused(FsException.Reason.INVALID, "fs.grep", "'pattern':'(a|b)*c'");
    }

    @Test
    void pathsOfAGlobAreTheNewestFirst() throws Exception {
        List<String> paths = List.of("a.java", "s/b.java", "s/t/c.java", "s/d.txt", "out/e.java");
        for (int i = 0; i < paths.size(); i++) {
            Files.setLastModifiedTime(file(paths.get(i), ""), FileTime.fromMillis(1_000_000L + i * 1000));
        }
        file(".gitignore", "out/\n");
        assertThat(texts(handle("fs.glob", "'pattern':'**/*.java'").getJsonArray("paths")))
                .containsExactly("s/t/c.java", "s/b.java", "a.java");
        assertThat(texts(handle("fs.glob", "'pattern':'*.java'").getJsonArray("paths")))
                .containsExactly("a.java");
        assertThat(texts(handle("fs.glob", "'pattern':'s/**'").getJsonArray("paths")))
                .containsExactly("s/d.txt", "s/t/c.java", "s/b.java");
        assertThat(texts(handle("fs.glob", "'pattern':'{b,c}.java','path':'s'").getJsonArray("paths")))
                .containsExactly("b.java");
        JsonObject bounded = handle("fs.glob", "'pattern':'**','limit':2");
        assertThat(bounded.getJsonArray("paths")).hasSize(2);
        assertThat(bounded.getBoolean("truncated")).isTrue();
        refused(FsException.Reason.INVALID, "fs.glob", "'pattern':'[a'");
    }

    @Test
    void globsFollowTheirRules() throws Exception {
        Deadline never = Deadline.in(Duration.ofDays(1), System::nanoTime);
        assertThat(Glob.of("a/**/b").matches("a/b", never)).isTrue();
        assertThat(Glob.of("a/**/b").matches("a/x/y/b", never)).isTrue();
        assertThat(Glob.of("a/**/b").matches("ax/b", never)).isFalse();
        assertThat(Glob.of("a*b").matches("a/b", never)).isFalse();
        assertThat(Glob.of("?").matches("/", never)).isFalse();
        assertThat(Glob.of("[!a-c]x").matches("dx", never)).isTrue();
        assertThat(Glob.of("[!a-c]x").matches("bx", never)).isFalse();
        assertThat(Glob.of("[^a]").matches("/", never)).isFalse();
        assertThat(Glob.of("\\*").matches("*", never)).isTrue();
        assertThat(Glob.of("\\*").matches("a", never)).isFalse();
        assertThat(Glob.of("a.(b)").matches("a.(b)", never)).isTrue();
        assertThat(Glob.of("{a,b{c,d}}").matches("bd", never)).isTrue();
        assertThat(Glob.of("a,b").matches("a,b", never)).isTrue();
    }

    @Test
    void theDeepestSharedDirectoryHoldsAPath() throws Exception {
        Path inner = Files.createDirectory(mount.resolve("inner"));
        Roots roots = new Roots(List.of(mount, inner, scratch.resolve("not-there")));
        assertThat(roots.locate(mount.toString(), "inner/x")).isEqualTo(new Roots.Located(inner, "x"));
        assertThat(roots.locate(inner.toString(), "../y")).isEqualTo(new Roots.Located(mount, "y"));
    }

    @Test
    void aRefusalSaysWhatItIs() {
        assertThatThrownBy(() -> handle("fs.read", "'path':'/etc/passwd'"))
                .isInstanceOfSatisfying(
                        FsException.class,
                        e -> assertThat(e.details())
                                .isEqualTo(Json.createObjectBuilder()
                                        .add("kind", "FsError")
                                        .add("reason", "outside")
                                        .add("version", "files@1")
                                        .build()));
    }
}
